"""Holds documents against schemas (JSON Schema 2020-12).

Reads a list of jobs, {"schema": ..., "documents": [...]}, and prints a list of answers:

rejected  why the schema is none, or null
wrong     of each document why it does not fit, or null
defined   every property that the schema itself describes, as JSON pointers; embedded schemas are left out
used      those of them that occur in a document that fits
"""

import json
import sys
from itertools import islice

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

# Keywords whose values are schemas, lists of schemas, and objects of schemas. What only sets a condition (if, not)
# describes nothing.
ONE = ("items", "additionalProperties")
MANY = ("prefixItems", "oneOf", "anyOf")
NAMED = ("properties", "$defs")


def answer(job):
    schema = job["schema"]
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return {"rejected": error.message, "wrong": [], "defined": [], "used": []}
    validator = Draft202012Validator(schema)
    wrong, seen = [], set()
    for document in job["documents"]:
        # The first error is enough; of one in several branches, the likeliest is said.
        error = best_match(islice(validator.iter_errors(document), 1))
        wrong.append(f"{error.json_path}: {error.message}" if error else None)
        if not error:
            visit(validator, document, seen)
    found = dict(defined(schema, ""))
    return {
        "rejected": None,
        "wrong": wrong,
        "defined": sorted(found.values()),
        "used": sorted(pointer for key, pointer in found.items() if key in seen),
    }


def defined(schema, pointer):
    """Every property, as the identity of the schema with its name, and its pointer."""
    if not isinstance(schema, dict):
        return
    for name in schema.get("properties", {}):
        yield (id(schema), name), f"{pointer}/properties/{name}"
    for word in ONE:
        yield from defined(schema.get(word), f"{pointer}/{word}")
    for word in MANY:
        for number, inner in enumerate(schema.get(word, [])):
            yield from defined(inner, f"{pointer}/{word}/{number}")
    for word in NAMED:
        for name, inner in schema.get(word, {}).items():
            if word == "properties" or "$id" not in inner:
                yield from defined(inner, f"{pointer}/{word}/{name}")


def visit(validator, value, seen):
    """Notes every property that describes a part of a value that fits."""
    schema = validator.schema
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        target = validator._resolver.lookup(schema["$ref"])
        visit(validator.evolve(schema=target.contents, _resolver=target.resolver), value, seen)
    for word in ("oneOf", "anyOf"):
        for inner in schema.get(word, []):
            branch = validator.evolve(schema=inner)
            if branch.is_valid(value):
                visit(branch, value, seen)
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name, member in value.items():
            if name in known:
                seen.add((id(schema), name))
            inner = known.get(name, schema.get("additionalProperties"))
            if inner is not None:
                visit(validator.evolve(schema=inner), member, seen)
    if isinstance(value, list):
        for number, item in enumerate(value):
            first = schema.get("prefixItems", [])
            inner = first[number] if number < len(first) else schema.get("items")
            if inner is not None:
                visit(validator.evolve(schema=inner), item, seen)


json.dump([answer(job) for job in json.load(sys.stdin)], sys.stdout)
