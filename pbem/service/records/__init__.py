"""Records: publish the archive, verify it and compare it with players' emails."""
