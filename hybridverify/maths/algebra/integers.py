"""Factors of integers, by bounded trial division."""

from __future__ import annotations

import math
from functools import lru_cache

from hybridverify.maths.limits import check_bits


def _primes(below: int) -> tuple[int, ...]:
    sieve = bytearray([1]) * below
    sieve[:2] = b"\0\0"
    for number in range(2, math.isqrt(below) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, below, number)))
    return tuple(number for number in range(below) if sieve[number])


_SMALL = _primes(1_000)


@lru_cache(maxsize=4096)
def factors_of(number: int) -> tuple[tuple[int, int], ...]:
    """Pairs of factor and count. A cofactor without small primes is left whole, its roots taken out.

    >>> factors_of(360)
    ((2, 3), (3, 2), (5, 1))
    """
    check_bits(number.bit_length())
    found = []
    for prime in _SMALL:
        if prime * prime > number:
            break
        count = 0
        while number % prime == 0:
            number //= prime
            count += 1
        if count:
            found.append((prime, count))
    if number > 1:
        found.append(_without_roots(number))
    return tuple(found)


def _without_roots(number: int) -> tuple[int, int]:
    if number < 1_000_000:
        return number, 1
    root = math.isqrt(number)
    if root * root == number:
        base, count = _without_roots(root)
        return base, 2 * count
    return number, 1
