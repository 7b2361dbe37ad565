"""Symbols and imports of Protocol Buffers files as the reference compiler reads them.

Usage: oracle.py --root DIR
Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.

The compiler writes a descriptor with the place of every name. A file is compiled with its imports, which
are looked for below the folder from which the file and its imports can be found, nearest to the root
first, and then among those that come with the compiler.
"""

import json
import os
import re
import sys
import tempfile

import grpc_tools
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

BUNDLED = os.path.join(os.path.dirname(grpc_tools.__file__), "_proto")

# Numbers of fields in descriptor.proto: a place is named by the way to it.
NAME = 1
FILE = {"dependency": 3, "message_type": 4, "enum_type": 5, "service": 6, "extension": 7}
MESSAGE = {"field": 2, "nested_type": 3, "enum_type": 4, "extension": 6, "oneof_decl": 8}
ENUM_VALUE = 2
SERVICE_METHOD = 2


def compiled(base, path):
    """The descriptor of a file, or what the compiler says against it."""
    with tempfile.TemporaryDirectory() as folder:
        out, talk = os.path.join(folder, "out"), os.path.join(folder, "talk")
        arguments = ["protoc", f"-I{base}", f"-I{BUNDLED}", "--include_source_info", f"--descriptor_set_out={out}", path]
        saved = os.dup(2)
        with open(talk, "wb") as said:
            os.dup2(said.fileno(), 2)
            try:
                code = protoc.main(arguments)
            finally:
                os.dup2(saved, 2)
                os.close(saved)
        if code != 0:
            with open(talk, encoding="utf-8", errors="replace") as said:
                return None, said.read()
        with open(out, "rb") as made:
            return descriptor_pb2.FileDescriptorSet.FromString(made.read()).file[-1], ""


def described(root, file):
    """The descriptor of a file from the first folder from which it compiles."""
    parts = file.split("/")
    first = None
    for depth in range(len(parts)):
        descriptor, said = compiled(os.path.join(root, *parts[:depth]), "/".join(parts[depth:]))
        if descriptor is not None:
            return descriptor, os.path.join(root, *parts[:depth]), ""
        first = first or said
    return None, root, first


class Labels:
    """The symbols and imports of a descriptor."""

    def __init__(self, descriptor, base):
        self.blocks = {}
        for location in descriptor.source_code_info.location:
            path, span = tuple(location.path), location.span
            end = span[2] if len(span) == 4 else span[0]
            # The block of an `extend` has the way to the whole list, once for each block.
            self.blocks.setdefault(path, []).append((span[0] + 1, end + 1))
        self.base = base
        self.symbols, self.imports = [], []
        self.file(descriptor)
        self.symbols.sort(key=lambda symbol: (symbol["line"], symbol["decl_line"]))

    def add(self, path, name, kind, parent):
        if (*path, NAME) not in self.blocks:
            return  # made by the compiler, as the entry of a map is
        line, _ = self.blocks[(*path, NAME)][0]
        first, last = self.blocks[path][0]
        symbol = {"name": name, "kind": kind, "line": line, "decl_line": first, "end_line": last}
        self.symbols.append({**symbol, "parent": parent})

    def file(self, file):
        for index, path in enumerate(file.dependency):
            line, _ = self.blocks[(FILE["dependency"], index)][0]
            if os.path.isfile(os.path.join(self.base, path)):
                category = "local"
            elif os.path.isfile(os.path.join(BUNDLED, path)):
                category = "stdlib"
            else:
                category = "unknown"
            self.imports.append({"path": path, "names": ["*"], "category": category, "line": line})
        for index, message in enumerate(file.message_type):
            self.message((FILE["message_type"], index), message, None)
        for index, enum in enumerate(file.enum_type):
            self.enum((FILE["enum_type"], index), enum, None)
        for index, service in enumerate(file.service):
            path = (FILE["service"], index)
            self.add(path, service.name, "interface", None)
            for number, method in enumerate(service.method):
                self.add((*path, SERVICE_METHOD, number), method.name, "method", service.name)
        self.extensions((FILE["extension"],), file.extension, None)

    def message(self, path, message, parent):
        if message.options.map_entry:
            return
        own = f"{parent}.{message.name}" if parent else message.name
        self.add(path, message.name, "struct", parent)
        for index, field in enumerate(message.field):
            self.add((*path, MESSAGE["field"], index), field.name, "field", own)
        for index, oneof in enumerate(message.oneof_decl):
            self.add((*path, MESSAGE["oneof_decl"], index), oneof.name, "union", own)
        for index, enum in enumerate(message.enum_type):
            self.enum((*path, MESSAGE["enum_type"], index), enum, own)
        for index, nested in enumerate(message.nested_type):
            self.message((*path, MESSAGE["nested_type"], index), nested, own)
        self.extensions((*path, MESSAGE["extension"]), message.extension, own)

    def enum(self, path, enum, parent):
        own = f"{parent}.{enum.name}" if parent else enum.name
        self.add(path, enum.name, "enum", parent)
        for index, value in enumerate(enum.value):
            self.add((*path, ENUM_VALUE, index), value.name, "enum_member", own)

    def extensions(self, path, fields, parent):
        """The fields of all `extend` blocks of one scope, and the blocks, named by what they extend."""
        for first, last in self.blocks.get(path, []):
            for index, field in enumerate(fields):
                if first <= self.blocks[(*path, index)][0][0] <= last:
                    name = field.extendee.lstrip(".")
                    symbol = {"name": name, "kind": "extension", "line": first, "decl_line": first, "end_line": last}
                    self.symbols.append({**symbol, "parent": parent})
                    break
        for index, field in enumerate(fields):
            self.add((*path, index), field.name, "field", parent)


def main():
    """Answers for each path."""
    root = sys.argv[2] if sys.argv[1:2] == ["--root"] else "."
    for line in sys.stdin:
        file = line.rstrip("\n")
        if not file:
            continue
        answer = {
            "file": file, "language": "proto", "oracle": "protoc 28.1 of grpcio-tools 1.68.1",
            "parse_errors": 0, "error": None, "symbols": [], "imports": [],
        }
        descriptor, base, said = described(root, file)
        if descriptor is not None:
            labels = Labels(descriptor, base)
            answer["symbols"], answer["imports"] = labels.symbols, labels.imports
        elif re.search(r"File not found|is not defined", said):
            answer["error"] = "an import is not in the corpus"
        else:
            answer["parse_errors"] = 1
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
