"""The report of a study: one HTML file that opens offline, and its tables and plots as files.

collect      runs to one frozen `ReportData`
tables       headline, paired tests, the papers' tables in shape, efficiency
plots        the same numbers drawn
cards        a row of a run to what its card shows; `graphs`, `spans` and `pool` help
page         everything above to one self-contained file
"""
