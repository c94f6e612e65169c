"""Where it comes from: readers of graphs, constraints and questions, the relation table, models."""
