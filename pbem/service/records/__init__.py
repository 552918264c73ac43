"""Records: the archive is published, verified and compared with the mails of players."""
