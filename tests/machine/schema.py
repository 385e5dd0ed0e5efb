# SPDX-License-Identifier: Apache-2.0
"""Checks a value against the subset of JSON Schema that doc/protocol.schema.json uses; other keywords in a schema are errors."""
TYPES = {"object": dict, "array": list, "string": str, "null": type(None), "boolean": bool}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "oneOf", "anyOf", "allOf", "not", "if", "then", "required",
         "properties", "additionalProperties", "items", "minItems", "maxItems"}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check_some(value, schema, root, where):
    """oneOf, anyOf, allOf, not, if."""
    for word, right in (("oneOf", lambda n, _: n == 1), ("anyOf", lambda n, _: n > 0)):
        if word in schema:
            wrong = [check(value, one, root, where) for one in schema[word]]
            if not right(wrong.count(None), len(wrong)):
                return f"{where} matches {wrong.count(None)} of {len(wrong)} schemas ({word}): {wrong}"
    for one in schema.get("allOf", []):
        wrong = check(value, one, root, where)
        if wrong:
            return wrong
    if "not" in schema and check(value, schema["not"], root, where) is None:
        return f"{where} is {schema['not']}"
    if "if" in schema and check(value, schema["if"], root, where) is None:
        return check(value, schema["then"], root, where)
    return None


def check_plain(value, schema, where):
    """type, const, enum and the number of items."""
    if "type" in schema:
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not any(is_type(value, name) for name in names):
            return f"{where} is not of type {' or '.join(names)}: {str(value)[:80]}"
    if "const" in schema and (type(value), value) != (type(schema["const"]), schema["const"]):       # True == 1
        return f"{where} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is {value!r}"
    if isinstance(value, list) and not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return f"{where} has {len(value)} items"
    return None


def check(value, schema, root, where="line"):
    """Returns None if the value is valid, else a message."""
    if isinstance(schema, bool):
        return None if schema else f"{where} must not be there"
    unknown = set(schema) - KNOWN
    if unknown:
        return f"unsupported keywords in the schema: {unknown}"
    wrong = check(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where) if "$ref" in schema else None
    wrong = wrong or check_plain(value, schema, where) or check_some(value, schema, root, where)
    if wrong:
        return wrong
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            wrong = check(item, schema["items"], root, f"{where}[{i}]")
            if wrong:
                return wrong
    return check_object(value, schema, root, where) if isinstance(value, dict) else None


def check_object(value, schema, root, where):
    for key in schema.get("required", []):
        if key not in value:
            return f"{where} has no {key}"
    for key, item in value.items():
        if key in schema.get("properties", {}):
            wrong = check(item, schema["properties"][key], root, f"{where}.{key}")
            if wrong:
                return wrong
        elif schema.get("additionalProperties", True) is False:
            return f"{where}.{key} is not in the schema: add it to the shape of the answer, in the record of the command"
        elif isinstance(schema.get("additionalProperties"), dict):
            wrong = check(item, schema["additionalProperties"], root, f"{where}.{key}")
            if wrong:
                return wrong
    return None
