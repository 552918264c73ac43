"""The database: SQLite in a file, or PostgreSQL by URL. Nothing else knows SQL or its libraries."""
