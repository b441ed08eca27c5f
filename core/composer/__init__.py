"""The band at work: roles over a typed state, and the graph that sends one to the next."""
