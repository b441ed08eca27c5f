"""The product's behaviour: what happens to one message, and the wiring."""
