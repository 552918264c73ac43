"""Post: put emails into the outbox."""
