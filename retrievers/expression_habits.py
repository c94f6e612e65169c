"""Leaves of a constraint about habits: smoking, alcohol and other drugs."""

from __future__ import annotations

import re

from retrievers.expression_types import (
    HasHabit,
    Timing,
)

HABITS: tuple[tuple[str, str, Timing], ...] = (
    (r"(?:current |active |cigarette |tobacco |heavy )*(?:smokers?|smoking|tobacco use|"
    r"tobacco users?|"
     r"smokes?(?: cigarettes)?|cigarette smoking|cigarette use|nicotine use)(?: history)?",
     "smoking", "now"),
    (r"(?:former|ex-?|past|previous|prior)[ -]?(?:smokers?|smoking|tobacco use)"
     r"|(?:history of|current or former|current or past|ever) (?:smoking|smokers?|tobacco use)",
     "smoking", "ever"),
    (r"(?:drinks|drinking|consumes|consuming|uses|using) alcohol|alcohol (?:use|consumption|intake)"
     r"|(?:current |regular )*(?:alcohol (?:drinkers?|users?)|drinkers?)", "alcohol use", "now"),
    (r"(?:(?:drinks|drinking|consumes|uses) )?(?:alcohol )?(?:heavy|excessive|excess|"
    r"chronic|heavily|"
     r"binge|chronic heavy)+(?: (?:alcohol(?:ic)?|drinking|drinkers?|use|consumption|intake|"
     r"beverage))*(?: use| consumption| intake| drinkers?)?|drinks (?:alcohol "
     r")?(?:heavily|to excess)"
     r"|drinks alcohol to excess, regularly or in binges|binge drinking|heavy drinkers?"
     r"|excessive alcohol (?:use|intake|consumption)|alcohol(?:ic)? excess",
     "heavy alcohol use", "now"),
    (r"(?:illicit|recreational|injection|intravenous)[ -]drug (?:use|users?|abuse)",
     "recreational drugs", "now"),
)  # fmt: skip


def habit_leaf(text: str) -> HasHabit | None:
    """Read a habit.

    >>> habit_leaf("current smoker"), habit_leaf("former smoker").timing
    (HasHabit(name='smoking', timing='now'), 'ever')
    """
    for words, name, timing in HABITS:
        if re.fullmatch(words, text):
            return HasHabit(name=name, timing=timing)
    return None
