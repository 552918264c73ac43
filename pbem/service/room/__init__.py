"""The reading room: what everybody may read of the club, gathered and published as a site."""
