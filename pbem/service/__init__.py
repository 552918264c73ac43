"""Use cases, each a module; each step of the mail path takes a row's id."""
