"""What the use cases need of the outside: the ports, and the values that pass through them.

All datetimes are aware and in UTC. Adapters implement these protocols; tests run one contract suite
a port on the hand-written fakes and on the real things.
"""
