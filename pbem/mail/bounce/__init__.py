"""Bounces: read which recipients an email did not reach, and why."""
