"""Competitions that members enter: announcing, entering, starting and ending them."""
