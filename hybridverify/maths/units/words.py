"""Words beside numbers: nouns that are counted, words that change the meaning, labels."""

from __future__ import annotations

from hybridverify.maths.notation.vocabulary import SHORT_WORDS, words
from hybridverify.maths.units.table import CASED, PER_HOUR, UNITS

CODES = words("USD EUR GBP JPY INR CNY RMB AUD CAD CHF")
"""What currencies are called in figures."""
_UNITS = (name.lower() for name in (*UNITS, *PER_HOUR, *CASED, *CODES, "hrs", "yrs", "lbs") if len(name) > 1)
NOT_PRODUCTS = SHORT_WORDS.union(_UNITS)
"""Runs of small letters that are never a product."""
NOUNS = words(
    "unit way people person student point time apple ball book boy girl child card coin number "
    "solution triangle digit edge vertex face side term set game team player ticket box bag "
    "page word letter marble pencil")  # fmt: skip
CHINESE = words(
    "页 颗 只 个 元 米 吨 人 天 次 条 本 支 张 岁 分钟 小时 秒 千米 公里 厘米 千克 公斤 克 升 平方米 平方厘米"
    " 個 匹 枚 冊 円 ドル ユーロ 개 명 마리 원 살 권 장 그루 송이 자루 병 잔 대 번"
)
POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
OTHER_NUMBER = words(
    "hundred thousand million billion trillion dozen half halves quarter third percent to or and times plus minus "
    "squared cubed factorial pair pairs score twice unless if but not maybe"
)
"""After a number, they make another of it or take it back."""
CHANGES_MEANING = OTHER_NUMBER | words(
    "no never none neither nor except without only more less fewer greater least most about approximately around "
    "nearly almost over under above below between from than of double percentage root remainder mod modulo when "
    "wrong incorrect false possibly possible either any all some each is are was be does for where with negative "
    "positive first second th per thirds quarters fourth fourths fifth fifths sixth sixths eighth eighths tenth "
    "tenths hundredth hundredths thousandth thousandths zero one two three extra left short gross grand kilo mega "
    "giga milli micro nano ten hundredweight percentile decade century decimal binary octal hexadecimal inverse "
    "reciprocal absolute choose degree base power prime conjugate"
)
LABELS = words(
    "answer result total sum product difference value values area volume perimeter length width height distance "
    "probability cost price average mean median maximum minimum max min greatest least largest smallest highest "
    "lowest number solution solutions ratio speed time the of is final"
)
