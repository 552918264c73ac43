"""Post: mails are put into the outbox."""
