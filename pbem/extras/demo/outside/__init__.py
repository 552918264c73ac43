"""What is outside the club: people who have nothing but e-mail."""
