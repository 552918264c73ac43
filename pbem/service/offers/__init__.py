"""Tables: how members find games, by challenges, open tables, rematches and bots."""
