"""What can be taken away from a module: found in its source, and left out of it.

At module level, in every assigned value: the words of a text that is a table, the elements of sets, tuples, lists
and mappings, each `re.compile` and its alternatives, and those of texts that expressions are made of (pieces).
One walk both finds the entries and leaves out those that are to be removed. Files of word lists beside a module that
has a function `read` hold entries too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

LEAST_WORDS = 3
"""A text of fewer words is no table."""
PATTERN, PIECE = "__ablated_pattern__", "__ablated_piece__"
"""Names of the two functions that a changed module calls for its expressions."""
_EXPRESSION = re.compile(r"\(\?|\\[bsdwBSDW]|\\[.(]|\|[^|\s]*\|")

_LIST = re.compile(r"^(?P<name>\w+) = '''(?P<words>[^']*(?:'{1,2}[^']+)*)'''", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """One thing that can be taken away. `number` counts within its place, `parent` is what it is a part of."""

    module: str
    name: str
    kind: str
    number: int
    text: str
    line: int = 0
    parent: str = ""

    @property
    def id(self) -> str:
        return f"{self.module}:{self.name}:{self.kind}:{self.number}"


def changed(module: str, source: str, removed: Collection[str]) -> tuple[ast.Module, list[Entry]]:
    """The module without the removed entries, and all that are seen in its source (alternatives are not)."""
    tree = ast.parse(source)
    walk = _Walk(module, source, removed, _pieces(tree))
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and statement.value:
            statement.value = walk.value(_target(statement), statement.value)
    return ast.fix_missing_locations(tree), walk.found


def list_words(module: str, file: str, text: str, removed: Collection[str]) -> tuple[str, list[Entry]]:
    """A file of word lists (TOML, each list a literal text) without the removed words, and all its words."""
    found: list[Entry] = []

    def kept(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1
        words = [
            Entry(module, f"{file}.{match['name']}", "word", number, word, line)
            for number, word in enumerate(match["words"].split())
        ]
        found.extend(words)
        return f"{match['name']} = '''{' '.join(word.text for word in words if word.id not in removed)}'''"

    return _LIST.sub(kept, text), found


def _target(statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> str:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    return ast.unparse(target)


def _pieces(tree: ast.Module) -> frozenset[str]:
    """Names of texts that stand in an expression, directly or in another such text."""
    values = {
        _target(node): node.value for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign))
    }
    found: set[str] = set()
    waiting: list[ast.AST] = [node for node in ast.walk(tree) if _compiles(node)]
    while waiting:
        for node in ast.walk(waiting.pop()):
            if isinstance(node, ast.Name) and node.id in values and node.id not in found:
                value = values[node.id]
                if isinstance(value, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                    found.add(node.id)
                    waiting.append(value)
    return frozenset(found)


def _compiles(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"


class _Walk:
    def __init__(self, module: str, source: str, removed: Collection[str], pieces: frozenset[str]) -> None:
        self.found: list[Entry] = []
        self._module, self._source, self._removed, self._pieces = module, source, removed, pieces
        self._name, self._parent = "", ""
        self._counts: dict[tuple[str, str], int] = {}

    def value(self, name: str, node: ast.expr) -> ast.expr:
        """The value of a name without what is removed."""
        self._name, self._parent = name, ""
        if name in self._pieces or (isinstance(node, ast.Constant) and _is_expression(node.value)):
            place = f"{self._module}:{name}:piece:0"
            return _called(PIECE, place, node, [])
        if isinstance(node, ast.Tuple) and name.startswith("("):  # several names at once
            node.elts = [self._visit(element) for element in node.elts]
            return node
        return self._visit(node)

    def _visit(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Constant):
            return self._words(node, None)
        if isinstance(node, ast.Dict):
            return self._mapping(node)
        if isinstance(node, (ast.Set, ast.Tuple, ast.List)):
            return self._elements(node)
        if isinstance(node, (ast.Starred, ast.Attribute)):
            node.value = self._visit(node.value)
        elif isinstance(node, ast.BinOp):
            node.left, node.right = self._visit(node.left), self._visit(node.right)
        elif isinstance(node, (ast.SetComp, ast.ListComp, ast.GeneratorExp, ast.DictComp)):
            for generator in node.generators:
                generator.iter = self._visit(generator.iter)
        return node

    def _call(self, node: ast.Call) -> ast.expr:
        if _compiles(node) and node.args:
            entry = self._entry("pattern", ast.get_source_segment(self._source, node.args[0]) or "", node)
            return _called(
                PATTERN, entry.id, node.args[0], [*node.args[1:], *(k.value for k in node.keywords)]
            )
        if isinstance(node.func, ast.Attribute):
            split = node.func.attr == "split" and len(node.args) == 1
            if split and isinstance(node.func.value, ast.Constant) and isinstance(node.args[0], ast.Constant):
                node.func.value = self._words(node.func.value, node.args[0].value)
                return node
            node.func.value = self._visit(node.func.value)
        node.args = [self._visit(argument) for argument in node.args]
        return node

    def _words(self, node: ast.Constant, separator: object) -> ast.expr:
        if not isinstance(node.value, str) or (separator is None and _is_expression(node.value)):
            return node
        words = node.value.split(separator if isinstance(separator, str) else None)
        if len(words) < LEAST_WORDS:
            return node
        kept = [word for word in words if self._stays("word", word, node)]
        return ast.copy_location(
            ast.Constant((separator if isinstance(separator, str) else " ").join(kept)), node
        )

    def _mapping(self, node: ast.Dict) -> ast.expr:
        pairs = []
        for key, value in zip(node.keys, node.values, strict=True):
            stays = len(node.keys) < 2 or key is None or self._stays("item", _text(key), key)
            inner = self._within(value, stays and key is not None and len(node.keys) > 1)
            if stays:
                pairs.append((key, inner))
        node.keys, node.values = [key for key, _ in pairs], [value for _, value in pairs]
        return node

    def _elements(self, node: ast.Set | ast.Tuple | ast.List) -> ast.expr:
        table = _is_table(node.elts)
        kept = []
        for element in node.elts:
            stays = (
                not table or isinstance(element, ast.Starred) or self._stays("item", _text(element), element)
            )
            inner = self._within(element, table)
            if stays:
                kept.append(inner)
        if isinstance(node, ast.Set) and not kept:
            return ast.copy_location(ast.Call(ast.Name("set", ast.Load()), [], []), node)
        node.elts = kept
        return node

    def _within(self, node: ast.expr, named: bool) -> ast.expr:
        """Visit a part of an entry; what is found there belongs to it."""
        before = self._parent
        if named and self.found:
            self._parent = self.found[-1].id
        try:
            return self._visit(node)
        finally:
            self._parent = before

    def _stays(self, kind: str, text: str, node: ast.expr) -> bool:
        return self._entry(kind, text, node).id not in self._removed

    def _entry(self, kind: str, text: str, node: ast.expr) -> Entry:
        number = self._counts.get((self._name, kind), 0)
        self._counts[self._name, kind] = number + 1
        entry = Entry(self._module, self._name, kind, number, text, node.lineno, self._parent)
        self.found.append(entry)
        return entry


def _is_expression(value: object) -> bool:
    return isinstance(value, str) and "\n" not in value and bool(_EXPRESSION.search(value))


def _is_table(elements: Sequence[ast.expr]) -> bool:
    """Several elements of one kind: texts, or records. A record itself is none: it holds different things."""
    kinds = {type(element) for element in elements if not isinstance(element, ast.Starred)}
    if len(elements) < 2 or len(kinds) != 1:
        return False
    (kind,) = kinds
    if kind is ast.Constant:
        return all(isinstance(e.value, str) for e in elements if isinstance(e, ast.Constant))
    return kind in (ast.Tuple, ast.Call, ast.List)


def _text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)


def _called(name: str, place: str, text: ast.expr, rest: list[ast.expr]) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(place), text, *rest], [])
