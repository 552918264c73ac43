"""Replies: what a person newly wrote, and what only stands there."""
