"""How to get better, and the way in: settings, language models, evaluation, compiling, commands.

This is the outermost layer. It reads the settings, builds a language model for every role, counts
what the models spend, and runs the programs of `programs` under them.
"""
