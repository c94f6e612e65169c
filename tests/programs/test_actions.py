"""An agent's action is data: known_failures C26 and K14."""

from __future__ import annotations

import pytest

from programs.actions import Action, ToolError, parse_action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            "ACTION: search_entity(\"Crohn's disease\", type='disease')",
            Action("search_entity", ("Crohn's disease",), {"type": "disease"}),
        ),
        ('search_entities("a, (b) -> {c}")', Action("search_entities", ("a, (b) -> {c}",), {})),
        (
            'get_relations_with_context(n12, "n4", relation="indication")',
            Action("get_relations_with_context", ("n12", "n4"), {"relation": "indication"}),
        ),
        ("`finish()`", Action("finish", (), {})),
        ("finish", Action("finish", (), {})),
    ],
)
def test_calls_with_plain_arguments_are_read(text: str, action: Action) -> None:
    assert parse_action(text) == action


@pytest.mark.parametrize(
    "text",
    [
        'search_entity("a".__class__.__mro__)',
        '__import__("os").system("true")',
        'search_entities("a" + "b")',
        "search_entities(*names)",
        "search_entities(**names)",
        "search_entities([x for x in y])",
        'search_entities("a"); finish()',
        "lambda: 1",
        "search_entities('" + "a" * 500 + "')",
        "(" * 200,
        "",
    ],
)
def test_anything_else_is_refused_and_not_run(text: str) -> None:
    with pytest.raises(ToolError) as refused:
        parse_action(text)
    assert len(str(refused.value)) < 250


def test_a_quote_inside_quotes_is_answered_with_how_to_write_it() -> None:
    with pytest.raises(ToolError, match='double quotes, as in search_entities\\("Crohn'):
        parse_action("ACTION: search_entity('Crohn's')")
