"""Checks a value against the subset of JSON Schema that doc/protocol.schema.json uses; other keywords in a schema are errors."""
TYPES = {"object": dict, "array": list, "string": str, "null": type(None), "boolean": bool}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "oneOf", "required", "properties",
         "additionalProperties", "items"}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check(value, schema, root, where="line"):
    """Returns None if the value is valid, else a message."""
    unknown = set(schema) - KNOWN
    if unknown:
        return f"unsupported keywords in the schema: {unknown}"
    if "$ref" in schema:
        return check(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where)
    if "type" in schema:
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not any(is_type(value, name) for name in names):
            return f"{where} is not of type {' or '.join(names)}"
    if "const" in schema and (type(value), value) != (type(schema["const"]), schema["const"]):       # True == 1
        return f"{where} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is {value!r}"
    if "oneOf" in schema:
        wrong = [check(value, one, root, where) for one in schema["oneOf"]]
        if wrong.count(None) != 1:
            return f"{where} matches {wrong.count(None)} of {len(wrong)} schemas instead of one: {wrong}"
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
            return f"{where}.{key} is not in the schema"
    return None
