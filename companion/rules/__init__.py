"""The rules of Otys."""
