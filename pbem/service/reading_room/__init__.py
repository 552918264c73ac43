"""The reading room: collect what everybody may read, and publish it as a site."""
