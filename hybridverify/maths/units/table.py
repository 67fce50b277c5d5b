"""Units of measure in base units, exact; and the kinds whose units are products of others."""

from __future__ import annotations

from fractions import Fraction

from hybridverify.maths.notation.vocabulary import word_list

_F = Fraction
# name -> (base dimension, factor). Names are singular; plurals are folded by `_singular`.
UNITS: dict[str, tuple[str, Fraction]] = {
    **{name: ("length", _F(factor)) for name, factor in {
        "m": 1, "meter": 1, "metre": 1, "km": 1000, "kilometer": 1000, "kilometre": 1000,
    }.items()},
    **{name: ("length", _F(factor)) for name, factor in {
        "cm": "0.01", "centimeter": "0.01", "centimetre": "0.01", "mm": "0.001", "millimeter": "0.001",
        "millimetre": "0.001", "dm": "0.1", "decimeter": "0.1", "nm": "1e-9", "nanometer": "1e-9", "um": "1e-6",
        "inch": "0.0254", "in": "0.0254", "foot": "0.3048", "ft": "0.3048", "yard": "0.9144", "yd": "0.9144",
        "mile": "1609.344", "mi": "1609.344",
    }.items()},
    **{name: ("mass", _F(factor)) for name, factor in {
        "kg": "1", "kilogram": "1", "g": "0.001", "gram": "0.001", "mg": "1e-6", "milligram": "1e-6",
        "lb": "0.45359237", "pound": "0.45359237", "ounce": "0.028349523125", "oz": "0.028349523125",
        "ton": "1000", "tonne": "1000",
    }.items()},
    **{name: ("time", _F(factor)) for name, factor in {
        "s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600,
        "day": 86400, "week": 604800,
    }.items()},
    "ms": ("time", _F("0.001")),
    "millisecond": ("time", _F("0.001")),
    "month": ("month", _F(1)),
    "year": ("month", _F(12)),
    "yr": ("month", _F(12)),
    **{name: ("volume", _F(factor)) for name, factor in {
        "l": "0.001", "liter": "0.001", "litre": "0.001", "ml": "1e-6", "milliliter": "1e-6", "millilitre": "1e-6",
        "gallon": "0.003785411784", "gal": "0.003785411784", "quart": "0.000946352946", "pint": "0.000473176473",
    }.items()},
    "cent": ("USD", _F("0.01")),
    "dollar": ("USD", _F(1)),
    **{name: ("volume", _F("1e-6")) for name in ("cc", "ccm")},
    "micron": ("length", _F("1e-6")),
    "angstrom": ("length", _F("1e-10")),
    **dict.fromkeys(("torr", "mmhg"), ("pressure", _F(101_325) / 760)),
    "atm": ("pressure", _F(101_325)),
    "atmosphere": ("pressure", _F(101_325)),
    "kilos": ("mass", _F(1)),
    **{name: ("length", _F(factor)) for name, factor in {
        "米": "1", "厘米": "0.01", "毫米": "0.001", "千米": "1000", "公里": "1000",
    }.items()},
    **{name: ("mass", _F(factor)) for name, factor in {"千克": "1", "公斤": "1", "克": "0.001", "吨": "1000"}.items()},
    **{name: ("time", _F(factor)) for name, factor in {"秒": 1, "分钟": 60, "小时": 3600, "天": 86400}.items()},
    **{name: ("area", _F(factor)) for name, factor in {"平方米": "1", "平方厘米": "0.0001"}.items()},
    **{name: ("volume", _F(factor)) for name, factor in {"升": "0.001", "毫升": "1e-6", "立方米": "1"}.items()},
    "hectare": ("area", _F(10_000)),
    "acre": ("area", _F("4046.8564224")),
    **{name: ("frequency", _F(factor)) for name, factor in {
        "kilohertz": 10**3, "khz": 10**3, "megahertz": 10**6, "gigahertz": 10**9, "ghz": 10**9,
    }.items()},
    "kilowatt": ("power", _F(1000)),
    "megawatt": ("power", _F(10**6)),
    "kilojoule": ("energy", _F(1000)),
    "kwh": ("energy", _F(3_600_000)),
    "kilopascal": ("pressure", _F(1000)),
    "kpa": ("pressure", _F(1000)),
    "microsecond": ("time", _F("1e-6")),
    "nanosecond": ("time", _F("1e-9")),
    "micrometer": ("length", _F("1e-6")),
    "n": ("force", _F(1)),
    "newton": ("force", _F(1)),
    "j": ("energy", _F(1)),
    "joule": ("energy", _F(1)),
    "kj": ("energy", _F(1000)),
    "w": ("power", _F(1)),
    "watt": ("power", _F(1)),
    "kw": ("power", _F(1000)),
    "v": ("voltage", _F(1)),
    "volt": ("voltage", _F(1)),
    "ohm": ("resistance", _F(1)),
    "hz": ("frequency", _F(1)),
    "hertz": ("frequency", _F(1)),
    "pa": ("pressure", _F(1)),
    "pascal": ("pressure", _F(1)),
    "k": ("kelvin", _F(1)),
    "kelvin": ("kelvin", _F(1)),
    "c": ("celsius", _F(1)),
    "celsius": ("celsius", _F(1)),
    "f": ("fahrenheit", _F(1)),
    "fahrenheit": ("fahrenheit", _F(1)),
    "mol": ("mole", _F(1)),
    "mole": ("mole", _F(1)),
    "rad": ("radian", _F(1)),
    "radian": ("radian", _F(1)),
}  # fmt: skip
SYMBOLS = {name.lower(): name for name in word_list(
    "m km cm mm dm nm g kg mg s ms h l mL Hz N J kJ W kW V Pa K")}  # fmt: skip
"""How short symbols are spelled: another case may make another unit."""
OTHER_KINDS = frozenset(("gallon", "gal", "quart", "pint", "ton", "mile", "mi", "mph", "ounce", "oz", "cup",
    "kilobyte", "megabyte", "gigabyte", "terabyte"))  # fmt: skip
"""Units of which several are in use that differ by up to a quarter: a gallon has 3.785 or 4.546 litres, a kilobyte 1000
or 1024 bytes."""
PER_HOUR = {"mph": _F("1609.344") / 3600, "kph": _F(1000) / 3600, "kmh": _F(1000) / 3600}
CASED = {
    "MHz": ("frequency", _F(10**6)),
    "mHz": ("frequency", _F("0.001")),
    "MW": ("power", _F(10**6)),
    "mW": ("power", _F("0.001")),
    "MPa": ("pressure", _F(10**6)),
    "MJ": ("energy", _F(10**6)),
}
DERIVED = {
    "volume": {"length": 3},
    "area": {"length": 2},
    "speed": {"length": 1, "time": -1},
    "force": {"mass": 1, "length": 1, "time": -2},
    "energy": {"mass": 1, "length": 2, "time": -2},
    "power": {"mass": 1, "length": 2, "time": -3},
    "pressure": {"mass": 1, "length": -1, "time": -2},
    "frequency": {"time": -1},
    "molarity": {"mole": 1, "length": -3},
    "datarate": {"data": 1, "time": -1},
    "charge": {"current": 1, "time": 1},
    "voltage": {"mass": 1, "length": 2, "time": -3, "current": -1},
    "resistance": {"mass": 1, "length": 2, "time": -3, "current": -2},
    "conductance": {"mass": -1, "length": -2, "time": 3, "current": 2},
    "capacitance": {"mass": -1, "length": -2, "time": 4, "current": 2},
    "inductance": {"mass": 1, "length": 2, "time": -2, "current": -2},
    "induction": {"mass": 1, "time": -2, "current": -1},
    "flux": {"mass": 1, "length": 2, "time": -2, "current": -1},
}
"""Kinds whose units are products of others: a litre is a cubic decimetre, a newton a kilogram metre per s^2."""

PHYSICAL = frozenset(kind for kind, _ in (*UNITS.values(), *CASED.values())) | {
    "speed",
    "current",
    "becquerel",
    "calorie",
    "data",
}
"""Kinds that cannot be meant by one another, unlike counted nouns: 12 points may be 12 units."""
