"""Rewrite a function to integers of 32 bits, which a GPU has in hardware, and the operations that this needs."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import operator
import re
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

# Numba computes with 64-bit integers, which a GPU builds from two of 32. All numbers in the rules fit 31 bits.
OPERATORS: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("add", operator.add),
    ast.Sub: ("sub", operator.sub),
    ast.Mult: ("mul", operator.mul),
    ast.LShift: ("shl", operator.lshift),
    ast.RShift: ("ashr", operator.rshift),
    ast.BitAnd: ("and_", operator.and_),
    ast.BitOr: ("or_", operator.or_),
    ast.BitXor: ("xor", operator.xor),
    ast.FloorDiv: ("sdiv", operator.floordiv),
    ast.Mod: ("srem", operator.mod),
}

# A product and a sum mustn't be fused into one operation, which rounds once where a CPU rounds twice. The linker, which
# optimizes again, ignores the compiler option that forbids it; these instructions are never fused.
ROUNDED = {"add": "llvm.nvvm.add.rn.d", "sub": "llvm.nvvm.add.rn.d", "mul": "llvm.nvvm.mul.rn.d"}


class Narrow(ast.NodeTransformer):
    """Rewrite a function to 32-bit integers: every operation and number, with unsigned array indices.

    >>> print(ast.unparse(Narrow().visit(ast.parse("a[i + 1] = 2"))))
    a[_place(_add(i, _1))] = _2
    >>> print(ast.unparse(Narrow().visit(ast.parse("state.turns[i] -= -1"))))
    state.turns[_place(i)] = _sub(state.turns[_place(i)], _minus_1)

    Numba counts a range in 64 bits and asks an iterator for the next number; a tuple it searches in a loop. So both
    become what a programmer would write for the card.

    >>> print(ast.unparse(Narrow().visit(ast.parse("for k in range(n): a[k] = b in (1, 2)"))))
    k_after_1, k_end_1 = (int(_0), int(n))
    while k_after_1 < k_end_1:
        k = k_after_1
        k_after_1 = _add(k_after_1, _1)
        a[_place(k)] = b == _1 or b == _2
    """

    def __init__(self) -> None:
        self.loops = 0

    def visit_For(self, node: ast.For) -> Any:
        match node:
            case ast.For(ast.Name(k), ast.Call(ast.Name("range"), [last]), orelse=[]):
                first: ast.expr = ast.Constant(0)
            case ast.For(ast.Name(k), ast.Call(ast.Name("range"), [first, last]), orelse=[]):
                pass
            case _:
                return self.generic_visit(node)
        self.loops += 1
        after, end = f"{k}_after_{self.loops}", f"{k}_end_{self.loops}"
        begin, loop = ast.parse(
            f"{after}, {end} = int({ast.unparse(first)}), int({ast.unparse(last)})\n"
            f"while {after} < {end}:\n {k} = {after}\n {after} += 1"
        ).body
        assert isinstance(loop, ast.While)
        loop.body += node.body
        return [self.visit(ast.copy_location(begin, node)), self.visit(ast.copy_location(loop, node))]

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        choices = node.comparators[0]
        if isinstance(node.ops[0], ast.In) and isinstance(choices, ast.Tuple) and isinstance(node.left, ast.Name):
            equal = [ast.Compare(copy.copy(node.left), [ast.Eq()], [choice]) for choice in choices.elts]
            return self.visit(ast.copy_location(ast.BoolOp(ast.Or(), list(equal)), node))
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) not in OPERATORS:
            return node
        name = "_" + OPERATORS[type(node.op)][0]
        return ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        before = copy.copy(node.target)
        before.ctx = ast.Load()
        value = ast.BinOp(copy.deepcopy(before), node.op, node.value)
        return self.visit(ast.copy_location(ast.Assign([node.target], value), node))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        found: list[ast.expr] = [ast.Call(ast.Name("_place", ast.Load()), [place], []) for place in places]
        node.slice = ast.Tuple(found, ast.Load()) if isinstance(node.slice, ast.Tuple) else found[0]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.operand, ast.Constant) and type(node.operand.value) is int and isinstance(node.op, ast.USub):
            return ast.Name(f"_minus_{node.operand.value}", ast.Load())
        self.generic_visit(node)
        return ast.Call(ast.Name("_not", ast.Load()), [node.operand], []) if isinstance(node.op, ast.Invert) else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(f"_{node.value}", ast.Load()) if type(node.value) is int else node


def narrow(function: Any) -> tuple[Any, dict[str, Any]]:
    """A function's code in 32-bit integers, with the values of its names for numbers."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    written = ast.increment_lineno(tree, function.__code__.co_firstlineno - 1).body[0]
    assert isinstance(written, ast.FunctionDef)
    written.decorator_list, written.args.defaults, written.returns = [], [], None
    for argument in written.args.args:
        argument.annotation = None
    Narrow().visit(written)
    found: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(tree), inspect.getfile(function), "exec"), found)
    code = found[function.__name__].__code__
    names: dict[str, Any] = {}
    for name in code.co_names:
        value = function.__globals__.get(name)
        if re.fullmatch(r"_(minus_)?\d+", name):
            value = int(name.replace("_minus_", "-").removeprefix("_"))
        if type(value) is int:
            if not -(1 << 31) <= value < 1 << 31:
                raise OverflowError(f"{function.__name__} names {value}: on a GPU the rules compute in 32 bits.")
            names[name] = np.int32(value)
    return code, names


@cache
def arithmetic() -> dict[str, Any]:
    """The operations named by `Narrow`: 32-bit on integers, separately rounded on floats, unchanged otherwise."""
    extending: Any = importlib.import_module("numba.cuda.extending")
    types: Any = importlib.import_module("numba.cuda.types")
    cgutils: Any = importlib.import_module("numba.cuda.cgutils")
    ir: Any = importlib.import_module("llvmlite.ir")

    def operation(instruction: str, meant: Callable[[Any, Any], Any]) -> Any:
        def typed(context: Any, a: Any, b: Any) -> Any:
            if not (isinstance(a, types.Integer) and isinstance(b, types.Integer)):
                found = context.resolve_function_type(meant, (a, b), {})

                def usual(target: Any, builder: Any, _signature: Any, values: Any) -> Any:
                    values = [target.cast(builder, *one) for one in zip(values, (a, b), found.args)]
                    if found.return_type != types.float64 or instruction not in ROUNDED:
                        return target.get_function(meant, found)(builder, values)
                    kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()] * 2)
                    rounded = cgutils.get_or_insert_function(builder.module, kind, ROUNDED[instruction])
                    if instruction == "sub":
                        values[1] = builder.fsub(ir.DoubleType()(-0.0), values[1])
                    return builder.call(rounded, values)

                return found.return_type(a, b), usual

            def build(target: Any, builder: Any, _signature: Any, values: Any) -> Any:
                x = target.cast(builder, values[0], a, types.int32)
                y = target.cast(builder, values[1], b, types.int32)
                result = getattr(builder, instruction)(x, y)
                if instruction in ("sdiv", "srem"):  # Python rounds down, a processor toward zero
                    rest = builder.srem(x, y) if instruction == "sdiv" else result
                    zero = rest.type(0)
                    apart = builder.icmp_signed("<", builder.xor(rest, y), zero)
                    down = builder.and_(builder.icmp_signed("!=", rest, zero), apart)
                    fixed = builder.sub(result, zero.type(1)) if instruction == "sdiv" else builder.add(result, y)
                    result = builder.select(down, fixed, result)
                return result

            return types.int32(a, b), build

        return extending.intrinsic(typed)

    def changed(wanted: Any) -> Any:
        def typed(_context: Any, x: Any) -> Any:
            result = wanted if isinstance(x, (types.Integer, types.Boolean)) else types.int64
            return result(x), lambda target, builder, signature, values: target.cast(builder, values[0], x, result)

        return extending.intrinsic(typed)

    def inverted(_context: Any, x: Any) -> Any:
        def build(target: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.not_(target.cast(builder, values[0], x, types.int32))

        return types.int32(x), build

    found = {"_" + name: operation(name, meant) for name, meant in OPERATORS.values()}
    return found | {"_not": extending.intrinsic(inverted), "_place": changed(types.uint32), "int": changed(types.int32)}
