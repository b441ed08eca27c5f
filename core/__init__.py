"""What the product knows and decides: values, functions, and the ports it needs."""
