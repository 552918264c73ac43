"""The database: a SQLite file, or PostgreSQL by URL. Only this package uses SQL."""
