"""Leave: taken, given back, taken by itself at the fall of a flag, and told to who plays along."""
