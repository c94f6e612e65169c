"""Splitting the question into hops (ReGraM §3.1, figure 3)."""

from __future__ import annotations

import dspy

from signatures.schema import Domain


class DecomposeQuestion(dspy.Signature):
    """Split the question into one to three short sub-questions, in the order of reasoning.

    Each must name its drugs, diseases, genes or findings and be answerable on its own. Keep the
    patient facts that decide. Do not answer them.
    """

    question: str = dspy.InputField()
    domain: Domain = dspy.InputField()
    sub_questions: list[str] = dspy.OutputField(desc="one to three")


# The paper's figure holds one worked demonstration whose text is not printed; this one is ours.
WORKED_DEMONSTRATION = dspy.Example(
    question=(
        "A 58-year-old man with gout and chronic kidney disease takes azathioprine after a kidney "
        "transplant. Which urate-lowering drug should be avoided?"
    ),
    domain="DRUG_THERAPY",
    sub_questions=[
        "Which drugs are indicated for gout to lower urate?",
        "Which urate-lowering drugs interact with azathioprine?",
        "Which urate-lowering drugs are contraindicated in chronic kidney disease?",
    ],
).with_inputs("question", "domain")
