"""Generates src/govern/types.py, _async/resources.py and _sync from /openapi.json and sdk/operations.json.

    generate.py [DIRECTORY]    default: src/govern

The modules in _sync are those in _async without `async` and `await`.
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent / "src/govern"
ROOT = Path(__file__).resolve().parents[3]
TARGET = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE
NOTICE = "# Generated from /openapi.json by scripts/generate.py. Do not edit.\n\n"

document = json.loads((ROOT / "openapi.json").read_text())
names = json.loads((ROOT / "sdk/operations.json").read_text())
schemas = document["components"]["schemas"]


def generate_types() -> None:
    properties = schemas["Problem"]["properties"]
    code = {"$ref": "#/components/schemas/ErrorCode", "description": properties["code"]["description"]}
    replaced = {
        # Dictionaries are invariant, so a type more exact than `Any` would refuse most values.
        "JsonValue": {},
        # Users need a name for the type of a code.
        "ErrorCode": properties["code"],
        "Problem": {**schemas["Problem"], "properties": {**properties, "code": code}},
    }
    types = {**document, "paths": {}, "components": {"schemas": {**schemas, **replaced}}}
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory) / "openapi.json"
        source.write_text(json.dumps(types))
        command = [
            Path(sys.executable).parent / "datamodel-codegen",
            *("--input", source, "--input-file-type", "openapi", "--output", TARGET / "types.py"),
            *("--output-model-type", "typing.TypedDict", "--target-python-version", "3.10"),
            *("--enum-field-as-literal", "all", "--no-use-closed-typed-dict", "--formatters", "builtin"),
            *("--use-union-operator", "--use-standard-collections", "--use-schema-description"),
            *("--use-field-description", "--disable-timestamp", "--disable-warnings"),
        ]
        subprocess.run(command, check=True)


def resolved(value: dict[str, Any]) -> dict[str, Any]:
    """Returns the part of the document that a reference names, or the value itself."""
    if "$ref" not in value:
        return value
    part = document
    for key in value["$ref"].split("/")[1:]:
        part = part[key]
    return part


# --- Resources ----------------------------------------------------------------------------------------------------


def generate_resources() -> None:
    operations = {
        operation["operationId"]: {
            **operation,
            "path": path,
            "method": method.upper(),
            "parameters": [resolved(parameter) for parameter in operation.get("parameters", [])],
            "responses": {status: resolved(response) for status, response in operation["responses"].items()},
        }
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }
    tree: dict[str, Any] = {}
    for operation_id, name in names["methods"].items():
        *parts, method = name.split(".")
        node = tree
        for part in parts:
            node = node.setdefault(part, {})
        node[method] = operations[operation_id]

    classes: list[str] = []
    roots = {snake(name): resource([name], node, classes) for name, node in tree.items()}
    attributes = "\n".join(f"        self.{name} = {type_}(transport)" for name, type_ in roots.items())
    text = NOTICE + (
        "from __future__ import annotations\n\n"
        "from collections.abc import AsyncIterator, Mapping, Sequence\n"
        "from typing import Any, Literal\n\n"
        "from .. import types\n"
        "from .._request import OMIT, Omit, header_password, path, present, tile_path, with_idempotency_key\n"
        "from .._streaming import StreamedDecision\n"
        "from .pager import AsyncPager\n"
        "from .streaming import stream_decisions, stream_json_lines\n"
        "from .transport import AsyncTransport\n\n\n"
        + "\n\n".join(classes)
        + "\n\nclass AsyncResources:\n"
        + '    """All resources of the API."""\n\n'
        + f"    def __init__(self, transport: AsyncTransport) -> None:\n{attributes}\n"
    )
    write("_async/resources.py", text)


def resource(parts: list[str], node: dict[str, Any], classes: list[str]) -> str:
    """Adds the class of a resource after those of its parts, and returns its name."""
    name = "Async" + "".join(part[0].upper() + part[1:] for part in parts) + "Resource"
    children = {
        snake(child): resource([*parts, child], value, classes)
        for child, value in node.items()
        if "operationId" not in value
    }
    lines = [f"class {name}:", "    def __init__(self, transport: AsyncTransport) -> None:"]
    lines.append("        self._transport = transport")
    lines += [f"        self.{child} = {type_}(transport)" for child, type_ in children.items()]
    methods = [method(snake(child), value) for child, value in node.items() if "operationId" in value]
    classes.append("\n".join(lines) + "\n\n" + "\n".join(methods))
    return name


def method(name: str, operation: dict[str, Any]) -> str:
    """Returns the source of a method."""
    parameters = operation["parameters"]
    path = operation["path"]
    is_tile = path == "/v1/log/tile/{path}"
    positional = [
        f"{'tile' if is_tile else p['name']}: {'str' if p['schema']['type'] == 'string' else 'int'}"
        for p in parameters
        if p["in"] == "path"
    ]
    url = f'path("{path}"' + "".join(f", {p['name']}={p['name']}" for p in parameters if p["in"] == "path") + ")"
    if is_tile:
        url = "tile_path(tile)"

    # Keyword arguments: name, type, and the member of the request.
    required: list[str] = []
    optional: list[str] = []

    def argument(member: str, type_: str, is_required: bool) -> str:
        parameter = member + "_" if keyword.iskeyword(member) else member
        if is_required:
            required.append(f"{parameter}: {type_}")
        else:
            optional.append(f"{parameter}: {type_} | Omit = OMIT")
        return f"{json.dumps(member)}: {parameter}"

    query = [
        argument(p["name"], python_type(p["schema"]), p["required"])
        for p in parameters
        if p["in"] == "query" and not (name == "export" and p["name"] == "format")
    ]
    call = [f'"{operation["method"]}"', url]
    query_dict = f"present({{{', '.join(query)}}})"
    header = next((p["name"] for p in parameters if p["in"] == "header" and p["name"] == "X-Form-Password"), None)
    success = next(value for status, value in operation["responses"].items() if status.startswith("2"))
    content = list(success.get("content", {}))
    reference = success.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref")
    schema = reference and reference.rsplit("/", 1)[1]
    is_page = bool(schema) and re.match("Page_|AlertPage", schema) is not None

    if name == "stream":
        optional += ["last_event_id: str | None = None", "reconnect: bool = True"]
        body = f"return stream_decisions(self._transport, {url}, {query_dict}, last_event_id, reconnect)"
        return definition("def", name, operation, positional, required, optional, "AsyncIterator[StreamedDecision]", body)
    if name == "export":
        body = f"return stream_json_lines(self._transport, {url}, {query_dict})"
        return definition("def", name, operation, positional, required, optional, "AsyncIterator[types.DecisionRecord]", body)

    body_ref = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {}).get("$ref")
    is_repeatable = operation["operationId"] in names["reads"]
    if body_ref:
        members, has_key = body_members(schemas[body_ref.rsplit("/", 1)[1]], argument)
        body = f"present({{{', '.join(members)}}})"
        if has_key:
            body = f"with_idempotency_key({body})"
            is_repeatable = True
        call.append(f"body={body}")
    if is_page:
        item = schemas[schema]["properties"]["items"]["items"]["$ref"].rsplit("/", 1)[1]
        pager = f"AsyncPager[types.{item}, types.{schema.replace('_', '')}]"
        body = f"return AsyncPager(self._transport, {url}, {query_dict})"
        return definition("def", name, operation, positional, required, optional, pager, body)
    if query:
        call.append(f"query={query_dict}")
    if header:
        optional.append("password: str | Omit = OMIT")
        call.append("headers=header_password(password)")
    if is_repeatable:
        call.append("is_repeatable=True")

    if not content:
        result, send = "None", "send"
    elif any("tar" in kind or "octet-stream" in kind for kind in content):
        result, send = "bytes", "bytes"
    elif content[0] == "text/plain":
        result, send = "str", "text"
    else:
        result, send = f"types.{schema}" if schema else "dict[str, Any]", "json"
    prefix = "" if result == "None" else "return "
    body = f"{prefix}await self._transport.{send}({', '.join(call)})"
    return definition("async def", name, operation, positional, required, optional, result, body)


def body_members(schema: dict[str, Any], argument: Any) -> tuple[list[str], bool]:
    """Adds an argument for each member of a body. Returns the members, and whether one is the idempotency key."""
    variants = schema.get("oneOf", [schema])
    members = []
    has_key = False
    for member in dict.fromkeys(name for variant in variants for name in variant.get("properties", {})):
        types = dict.fromkeys(python_type(variant["properties"][member]) for variant in variants)
        types = [name for name in types if f"{name} | None" not in types]
        type_ = " | ".join(sorted(types, key=lambda name: name == "None"))
        type_ = type_.replace(" | None | None", " | None")
        is_required = all(member in variant.get("required", []) for variant in variants)
        if member == "idempotency_key":
            has_key, is_required, type_ = True, False, "str"
        members.append(argument(member, type_, is_required))
    return members, has_key


def python_type(schema: dict[str, Any]) -> str:
    """Returns the type of a parameter."""
    if schema.get("$ref") == "#/components/schemas/JsonObject":
        return "Mapping[str, Any]"
    if "$ref" in schema:
        return "types." + schema["$ref"].rsplit("/", 1)[1]
    if "enum" in schema:
        values = [value for value in schema["enum"] if value is not None]
        nullable = " | None" if None in schema["enum"] or "null" in schema.get("type", []) else ""
        return f"Literal[{', '.join(map(json.dumps, values))}]{nullable}"
    if "anyOf" in schema:
        return " | ".join(map(python_type, schema["anyOf"]))
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return " | ".join(python_kind(kind, schema) for kind in kinds) or "Any"


def python_kind(kind: str, schema: dict[str, Any]) -> str:
    if kind == "array":
        return f"Sequence[{python_type(schema['items'])}]"
    return {
        "string": "str",
        "integer": "int",
        "number": "float",
        "boolean": "bool",
        "null": "None",
        "object": "Mapping[str, Any]",
    }[kind]


def definition(
    kind: str,
    name: str,
    operation: dict[str, Any],
    positional: list[str],
    required: list[str],
    optional: list[str],
    result: str,
    body: str,
) -> str:
    keywords = required + optional
    arguments = ["self", *positional, *(["/"] if positional else []), *(["*", *keywords] if keywords else [])]
    paragraphs = [operation.get("summary"), operation.get("description"), f"`{operation['method']} {operation['path']}`"]
    doc = "\n\n".join(filter(None, paragraphs)).replace("\\", "\\\\").replace("\n", "\n        ").replace("        \n", "\n")
    signature = "".join(f"        {argument},\n" for argument in arguments)
    return f'    {kind} {name}(\n{signature}    ) -> {result}:\n        """{doc}\n        """\n        {body}\n'


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), name)


# --- The synchronous client -----------------------------------------------------------------------------------------

REPLACEMENTS = (
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\bAsyncGenerator\[str, None\]", "Generator[str, None, None]"),
    (r"\b__a(enter|exit|iter)__", r"__\1__"),
    (r"\bAsyncByteStream\b", "SyncByteStream"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\ba(close|closing|read|iter_bytes)\b", r"\1"),
    (r"\banyio\.sleep\b", "time.sleep"),
    (r"\bimport anyio\b", "import time"),
)


def generate_sync() -> None:
    for source in sorted((PACKAGE / "_async").glob("*.py")):
        text = (TARGET / "_async/resources.py" if source.name == "resources.py" else source).read_text()
        for pattern, replacement in REPLACEMENTS:
            text = re.sub(pattern, replacement, text)
        notice = "# Generated from _async by scripts/generate.py. Do not edit.\n\n"
        write(f"_sync/{source.name}", notice + text.removeprefix(NOTICE))


def write(name: str, text: str) -> None:
    target = TARGET / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


generate_types()
generate_resources()
generate_sync()
