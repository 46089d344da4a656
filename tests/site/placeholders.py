"""Which texts are put into messages by their placeholders, read from the sources."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

MARKS = {
    "_",
    "gettext",
    "ngettext",
    "pgettext",
    "gettext_lazy",
    "ngettext_lazy",
    "pgettext_lazy",
}
SAME = {"str", "min", "max", "join"}
"""What returns its arguments, or one of them, as a text."""

Values = Mapping[str, list[ast.expr]]
"""What a function's names may stand for."""


class Function:
    """What there is to look at in a function of a module: walked through once."""

    def __init__(self, module: str, function: ast.FunctionDef) -> None:
        nodes = [*ast.walk(function)]
        self.module = module
        self.values = _values(nodes)
        self.returned = [node.value for node in nodes if isinstance(node, ast.Return)]
        self.filled = [
            (node.left, node.right)
            for node in nodes
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)
        ]


class Sources:
    """Python sources by the names of their modules."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._trees = {name: ast.parse(text) for name, text in sources.items()}
        self._names: dict[str, dict[str, str]] = {}
        self._functions: dict[str, Function] = {}
        for module, tree in self._trees.items():
            names = self._names[module] = {}
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom):
                    for alias in node.names:
                        names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                elif isinstance(node, ast.FunctionDef):
                    names[node.name] = f"{module}.{node.name}"
                    self._functions[f"{module}.{node.name}"] = Function(module, node)

    @classmethod
    def of(cls, root: Path, *apps: str) -> Sources:
        """All modules of these packages."""
        files = sorted(file for app in apps for file in (root / app).rglob("*.py"))
        return cls(
            {
                ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(
                    ".__init__"
                ): file.read_text(encoding="utf-8")
                for file in files
            }
        )

    def put_in(self) -> set[str]:
        """What is put into a message: a function that says one, by its dotted name, or the
        English of a message that stands there itself."""
        found: set[str] = set()
        for function in self._functions.values():
            for left, right in function.filled:
                if any(self._said(function.module, left, function.values)):
                    found |= {*self._said(function.module, right, function.values)}
        return found

    @cached_property
    def _saying(self) -> set[str]:
        """The functions that return a message."""
        saying: set[str] = set()
        self.__dict__["_saying"] = saying
        before = -1
        while before < len(saying):
            before = len(saying)
            for name, each in self._functions.items():
                if any(any(self._said(each.module, n, each.values)) for n in each.returned):
                    saying.add(name)
        return saying

    def _dotted(self, module: str, node: ast.expr) -> str:
        """The function that this names, through modules that pass it on."""
        if isinstance(node, ast.Attribute):
            name = f"{self._dotted(module, node.value)}.{node.attr}"
        else:
            name = self._names[module].get(node.id, "") if isinstance(node, ast.Name) else ""
        for _hop in range(4):
            home, _dot, own = name.rpartition(".")
            if name in self._functions or name in self._names or home not in self._names:
                break
            name = self._names[home].get(own, "")
        return name

    def _said(self, module: str, node: ast.expr | None, values: Values) -> Iterator[str]:
        """The messages, and functions that say one, of which this may be made."""
        inner: list[ast.expr | None] = []
        match node:
            case ast.Call(func=ast.Name(id=name), args=[first, *_others]) if name in MARKS:
                yield (
                    str(first.value) if isinstance(first, ast.Constant) else ast.unparse(first)
                )
            case ast.Call(func=function, args=arguments):
                if (dotted := self._dotted(module, function)) in self._saying:
                    yield dotted
                elif ast.unparse(function).rpartition(".")[2] in SAME:
                    inner = [*arguments]
            case ast.BinOp(left=left, op=ast.Mod()):
                inner = [left]
            case ast.BinOp(left=left, right=right):
                inner = [left, right]
            case ast.IfExp(body=body, orelse=orelse):
                inner = [body, orelse]
            case (
                ast.BoolOp(values=parts) | ast.Dict(values=parts) | ast.JoinedStr(values=parts)
            ):
                inner = [*parts]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                inner = [*parts]
            case ast.FormattedValue(value=value) | ast.Subscript(value=value):
                inner = [value]
            case ast.Starred(value=value):
                inner = [value]
            case ast.GeneratorExp(elt=value) | ast.ListComp(elt=value):
                inner = [value]
            case ast.Name(id=name):
                inner = [*values.get(name, [])]
                values = {key: each for key, each in values.items() if key != name}
        for each in inner:
            yield from self._said(module, each, values)


def _values(nodes: Iterable[ast.AST]) -> Values:
    values: defaultdict[str, list[ast.expr]] = defaultdict(list)
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name].append(value)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
                each = value.elts if isinstance(value, ast.Tuple) else [value] * len(names)
                for target, one in zip(names, each, strict=False):
                    if isinstance(target, ast.Name):
                        values[target.id].append(one)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                values[name].append(value)
    return values
