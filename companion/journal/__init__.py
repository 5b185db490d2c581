"""What was confirmed: the durable log of every game, undo and redo, statistics, exports."""
