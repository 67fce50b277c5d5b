"""Whole numbers below a thousand in the words of other languages, and Chinese, Japanese and Korean numerals.

Data, and the one function that reads it. To add a language, add a line to `_LANGUAGES`: the numbers from zero that
have names of their own, the tens that follow, and how ones stand beside tens. `_` is a blank.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple


class _Language(NamedTuple):
    names: str
    tens: str
    joined: str
    """How a ten and a one are written together; `{ten}`, `{one}`, and `{end}` for a ten without its last vowel."""


_LANGUAGES = (
    _Language(
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce"
        " quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós"
        " veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve",
        "treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        "{ten} y {one}",
    ),
    _Language(
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze"
        " quinze seize dix-sept dix-huit dix-neuf vingt vingt_et_un vingt-deux vingt-trois"
        " vingt-quatre vingt-cinq vingt-six vingt-sept vingt-huit vingt-neuf",
        "trente quarante cinquante soixante",
        "{ten}-{one}",
    ),
    _Language(
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn"
        " vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig einundzwanzig"
        " zweiundzwanzig dreiundzwanzig vierundzwanzig fünfundzwanzig sechsundzwanzig"
        " siebenundzwanzig achtundzwanzig neunundzwanzig",
        "dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
        "{one}und{ten}",
    ),
    _Language(
        "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici"
        " quattordici quindici sedici diciassette diciotto diciannove venti ventuno ventidue"
        " ventitré ventiquattro venticinque ventisei ventisette ventotto ventinove",
        "trenta quaranta cinquanta sessanta settanta ottanta novanta",
        "{end}{one}",
    ),
    _Language(
        "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze"
        " quinze dezesseis dezessete dezoito dezenove vinte vinte_e_um vinte_e_dois"
        " vinte_e_três vinte_e_quatro vinte_e_cinco vinte_e_seis vinte_e_sete vinte_e_oito"
        " vinte_e_nove",
        "trinta quarenta cinquenta sessenta setenta oitenta noventa",
        "{ten} e {one}",
    ),
    _Language(
        "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать"
        " тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать"
        " двадцать двадцать_один двадцать_два двадцать_три двадцать_четыре двадцать_пять"
        " двадцать_шесть двадцать_семь двадцать_восемь двадцать_девять",
        "тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
        "{ten} {one}",
    ),
    _Language(
        "sifuri moja mbili tatu nne tano sita saba nane tisa kumi kumi_na_moja kumi_na_mbili"
        " kumi_na_tatu kumi_na_nne kumi_na_tano kumi_na_sita kumi_na_saba kumi_na_nane"
        " kumi_na_tisa ishirini ishirini_na_moja ishirini_na_mbili ishirini_na_tatu"
        " ishirini_na_nne ishirini_na_tano ishirini_na_sita ishirini_na_saba ishirini_na_nane"
        " ishirini_na_tisa",
        "thelathini arobaini hamsini sitini sabini themanini tisini",
        "{ten} na {one}",
    ),
    _Language(
        "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة أحد_عشر اثنا_عشر ثلاثة_عشر"
        " أربعة_عشر خمسة_عشر ستة_عشر سبعة_عشر ثمانية_عشر تسعة_عشر عشرون واحد_وعشرون"
        " اثنان_وعشرون ثلاثة_وعشرون أربعة_وعشرون خمسة_وعشرون ستة_وعشرون سبعة_وعشرون"
        " ثمانية_وعشرون تسعة_وعشرون",
        "ثلاثون أربعون خمسون ستون سبعون ثمانون تسعون",
        "{one} و{ten}",
    ),
    _Language(
        "शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह"
        " अठारह उन्नीस बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस"
        " इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस बयालीस"
        " तैंतालीस चवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन"
        " चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ"
        " अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर"
        " उन्यासी अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे"
        " इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे सौ",
        "",
        "",
    ),
)
_HUNDREDS = (
    (
        "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
        " ",
    ),
    ("cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos", " e "),
    ("cento duecento trecento quattrocento cinquecento seicento settecento ottocento novecento", ""),
    ("cent deux_cent trois_cent quatre_cent cinq_cent six_cent sept_cent huit_cent neuf_cent", " "),
    ("сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот", " "),
    (
        "einhundert zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert achthundert neunhundert",
        "",
    ),
    ("hundert", ""),
)
"""One hundred to nine hundred, and what stands between them and the rest."""
_ALONE = {"cien": 100, "cem": 100, "сто": 100, "cento": 100, "hundert": 100, "einhundert": 100}
"""A hundred alone; the French one is also an English coin."""
_NATIVE_TENS, _NATIVE_ONES = (
    "열 스물 서른 마흔 쉰 예순 일흔 여든 아흔",
    "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉",
)
"""Korean as things are counted."""
_NO_NUMBERS = frozenset(("once", "due", "elf", "un", "um", "uno", "null", "sex", "set"))
"""Words of other meanings, some of them English."""
_FIGURES = {char: at for at, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_KOREAN = {char: at for at, char in enumerate("영일이삼사오육칠팔구")}
TENS = {"十": 10, "百": 100, "千": 1_000, "십": 10, "백": 100, "천": 1_000}
MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "만": 10**4, "억": 10**8}
_NO_PLACE = 10**9
_MAX_LENGTH, _HUNDRED = 60, 100


def read_foreign(text: str) -> str:
    """The digits of a whole number in the words of another language, or of a Chinese fraction; "" for other texts.

    >>> read_foreign("cuarenta y dos"), read_foreign("quatre-vingt-onze"), read_foreign("zweiundvierzig")
    ('42', '91', '42')
    >>> read_foreign("doscientos treinta y uno"), read_foreign("dreihundertvier"), read_foreign("마흔일곱")
    ('231', '304', '47')
    >>> read_foreign("三百零五"), read_foreign("사십이"), read_foreign("ventotto"), read_foreign("once")
    ('305', '42', '28', '')
    """
    if len(text) > _MAX_LENGTH:
        return ""
    if text[0] >= "\u3000":
        return _of_characters(text)
    low = " ".join(text.lower().rstrip(".").split())
    value = _table().get(low, -1)
    if value < 0:
        value = _over_hundred(low)
    return str(value) if value >= 0 else ""


def _of_characters(text: str) -> str:
    bottom, share, top = text.partition("分之")
    if not share:
        return _figures(text) or _native_korean(text)
    parts = _figures(top) if top else "", _figures(bottom) if bottom else ""
    return "/".join(parts) if all(parts) and parts[1] != "0" else ""


def first_words() -> frozenset[str]:
    """The words with which numbers of these languages begin, in small letters.

    >>> {"quarenta", "zweiundvierzig", "dreihundert", "cien"} <= first_words()
    True
    """
    hundreds = (head for told in _hundreds().values() for head, _, _ in told)
    return frozenset(name.split()[0] for name in (*_table(), *hundreds, *_ALONE))


def single_words() -> frozenset[str]:
    """The numbers that are one word, in small letters; none that has another meaning too.

    >>> {"dodici", "zweiundvierzig", "doscientos"} <= single_words(), "set" in single_words()
    (True, False)
    """
    hundreds = (head for told in _hundreds().values() for head, _, _ in told)
    numbers = (name for name, value in _table().items() if value >= 0)
    return frozenset(name for name in (*numbers, *hundreds, *_ALONE) if name.isalpha())


def _over_hundred(low: str) -> int:
    """The value of hundreds with what follows them, -1 for any other text."""
    for head, between, hundred in _hundreds().get(low[:3], ()):
        rest = low[len(head) :].removeprefix(between) if low.startswith(head + between) else ""
        value = _table().get(rest, -1) if rest else -1
        if 0 < value < _HUNDRED:
            return hundred + value
        if hundred > _HUNDRED and low in (head, head + "s"):
            return hundred
    return _ALONE.get(low, -1)


@lru_cache(maxsize=1)
def _hundreds() -> dict[str, list[tuple[str, str, int]]]:
    """The hundreds of all languages with what joins them, by their first letters."""
    found: dict[str, list[tuple[str, str, int]]] = {}
    for words, between in _HUNDREDS:
        for count, word in enumerate(words.split(), 1):
            found.setdefault(word[:3], []).append((word.replace("_", " "), between, _HUNDRED * count))
    return found


def _native_korean(text: str) -> str:
    for ten, name in enumerate(_NATIVE_TENS.split(), 1):
        rest = text.removeprefix(name)
        ones = ["", *_NATIVE_ONES.split()]
        if rest != text and rest in ones:
            return str(10 * ten + ones.index(rest))
    return ""


@lru_cache(maxsize=1)
def _table() -> dict[str, int]:
    """All numbers in words; one that is two numbers in two languages is none."""
    found: dict[str, int] = {}
    for language in _LANGUAGES:
        for word, value in _numbers(language):
            found[word] = value if found.get(word, value) == value else -1
    for word in _NO_NUMBERS:
        found[word] = -1
    return found


def _numbers(language: _Language) -> list[tuple[str, int]]:
    names = [name.replace("_", " ") for name in language.names.split()]
    found = [(name, at) for at, name in enumerate(names)]
    for at, ten in enumerate(language.tens.split(), len(names) // 10):
        found.append((ten, 10 * at))
        for one, name in enumerate(names[1:10], 1):
            end = ten[:-1] if name[0] in "aeiou" else ten
            short = "ein" if name == "eins" else name
            found.append((language.joined.format(ten=ten, one=short, end=end), 10 * at + one))
    if "soixante" in language.tens:
        found += _over_seventy(names)
    return found


def _over_seventy(names: list[str]) -> list[tuple[str, int]]:
    found = [("quatre-vingts", 80), ("soixante et onze", 71)]
    found += [(f"{ten} et un", value) for ten, value in (("trente", 31), ("quarante", 41), ("cinquante", 51))]
    found += [("soixante et un", 61)]
    for base, ten in ((60, "soixante"), (80, "quatre-vingt")):
        found += [(f"{ten}-{name}", base + one) for one, name in enumerate(names[1:20], 1)]
    return found


def _figures(text: str) -> str:
    """A numeral of East Asia; one sign of Korean alone is a word."""
    if text[0] >= "\uac00":
        return _placed(text, _KOREAN) if len(text) > 1 else ""
    if len(text) > 2 and _FIGURES.keys() >= set(text):  # `二〇一九`
        return "".join(str(_FIGURES[char]) for char in text)
    return _placed(text, _FIGURES)


def _placed(text: str, figures: Mapping[str, int]) -> str:
    """The digits of a number whose figures stand before tens and myriads; "" where their order makes no number."""
    total = part = last = 0
    placed = _NO_PLACE
    for char in text:
        value = figures.get(char, -1)
        if value >= 0 and not last:
            last, placed = value, placed if value else _NO_PLACE
        elif value < 0 and TENS.get(char, _NO_PLACE) < placed:
            placed = TENS[char]
            part, last = part + (last or 1) * placed, 0
        elif char in MYRIADS and part + last:
            total, part, last, placed = total + (part + last) * MYRIADS[char], 0, 0, _NO_PLACE
        else:
            return ""
    return str(total + part + last)
