"""The world outside the club: people who have nothing but email."""
