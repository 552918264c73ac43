"""The processes of a club: their configuration, how they are put together, and how they run."""
