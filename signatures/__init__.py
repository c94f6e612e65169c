"""What is said: the records of `schema`, the errors, and one file of prompts per concept.

A signature's docstring and field descriptions are the prompt that a model reads; prompt text stands
nowhere else. The tests pin every rendered prompt.
"""
