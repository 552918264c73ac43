"""The processes of a club: their configuration, how they are assembled, and how they run."""
