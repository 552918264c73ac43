"""Dates as people write them: one day, a span of days, and the days somebody is away."""
