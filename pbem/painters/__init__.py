"""Painters: a diagram as a picture (SVG), as a table for mails (HTML), in colours (terminal)."""
