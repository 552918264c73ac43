"""Replies: separate the text a person newly wrote from everything around it."""
