"""How to reason: one file per step and one per program, whose `forward` is the paper's figure."""
