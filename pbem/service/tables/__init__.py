"""Tables: how members find their games: challenges, open tables, rematches, computer opponents."""
