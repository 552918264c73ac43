"""Bounces: what a mail that came back says of whom it has not reached."""
