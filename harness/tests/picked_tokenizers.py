"""Names the tokenizer that the comparator's library picks for each model, downloading none.

Standard input: a JSON list of model names. Standard output: a JSON object from name to tokenizer.
"""

import json
import sys

import litellm.utils
from aider.models import MODEL_ALIASES


class Named:
    """Stands in for the library's tokenizer class and remembers what was asked for."""

    def __init__(self, name):
        self.name = name

    @staticmethod
    def from_str(_bundled):
        return Named("anthropic_tokenizer")

    @staticmethod
    def from_pretrained(identifier):
        return Named(identifier)


litellm.utils.Tokenizer = Named
models = json.load(sys.stdin)
picked = {
    model: litellm.utils._select_tokenizer(MODEL_ALIASES.get(model, model))["tokenizer"].name
    for model in models
}
json.dump(picked, sys.stdout)
