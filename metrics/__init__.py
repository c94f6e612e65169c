"""How good: measures over records, without a model and without a graph.

A measure is one file with a `MEASURE` that declares its range, direction, unit and source; add it
to `metrics.registry.MEASURES` and the shared test covers it.
"""
