"""Dates as people write them: one day, a span of days, and when somebody is away."""
