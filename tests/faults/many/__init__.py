"""A club of many processes on trial: workers and fetchers that are killed and cut off."""
