"""Use cases, one per module. Each step that processes an email takes the id of its row."""
