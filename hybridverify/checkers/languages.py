"""How answers are announced, in many languages: data only, read by stated.py.

To add a language, add its word for "answer", its copula and its "therefore", in lower case; `_` is a blank.
"""

from __future__ import annotations

_ANSWER = """
答案 答え 答: 答： 正解 解答 结果为 結果為 정답 답
respuesta réponse reponse antwort antwoord risposta resposta svar vastaus válasz răspuns cevap yanıt jawab jibu
odpowiedź odpověď odpoveď odgovor ответ відповідь отговор одговор απάντηση
الإجابة الاجابة الجواب جواب پاسخ התשובה תשובה उत्तर উত্তর సమాధాన விடை คำตอบ đáp_án đáp_số câu_trả_lời
"""
_COPULA = """
es son est sont ist sind lautet beträgt ergibt è é são sono jest to wynosi je är er on være là adalah ialah ni
este είναι равен равна равно равны составляет это е هو هي است है हैं হল হলো কী คือ
"""
_CONCLUSION = """
so thus therefore hence consequently finally overall altogether accordingly ergo in_total in_conclusion
in_summary as_a_result this_means it_follows we_get we_find we_have
por_lo_tanto por_tanto entonces así_que en_total luego donc ainsi par_conséquent en_conclusion also folglich
daher somit damit insgesamt quindi dunque perciò portanto então assim logo dus daarom
итак следовательно таким_образом значит поэтому всего zatem więc stąd dlatego takže tedy
alltså därför således derfor siis joten tehát așadar deci bu_nedenle dolayısıyla vậy do_đó jadi maka kwa_hiyo
因此 所以 故 于是 於是 综上 綜上 总之 最终 最後 最后 一共 总共
よって したがって ゆえに だから 따라서 그러므로 그래서
لذا لذلك إذن इसलिए অতএব তাই ดังนั้น
"""


def _entries(table: str) -> tuple[str, ...]:
    return tuple(entry.replace("_", " ") for entry in table.split())


ANSWER_ROOTS = _entries(_ANSWER)
"""Roots of the word "answer" besides the English one; their endings are free."""
COPULAS = _entries(_COPULA)
"""Words between such a root and the answer; signs (`:`, `=`) and East Asian particles stand in stated.py."""
CONCLUSIONS = _entries(_CONCLUSION)
"""Words that open a closing sentence."""
