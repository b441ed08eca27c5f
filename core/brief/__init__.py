"""What was asked for, and reading it out of a sentence."""
