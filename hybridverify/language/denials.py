"""How an answer is denied, in many languages: data only, read by frame.py.

To add a language, add its "not", its copula and its words for "wrong", in lower case; `_` is a blank. Words stand
apart by their place: a "not" before the answer, a "not" behind it (Turkish, Hindi, Japanese), what is said of a wrong
answer, and what denies a whole statement ("it is false that").
"""

from __future__ import annotations

_NOT = """
not never cannot no neither nor hardly no nunca jamás tampoco pas jamais nicht kein keine niemals keineswegs
keinesfalls niet nooit geen non mai não nunca nem nie nigdy není nejde nikdy inte aldrig ikke ikkje aldri ei ole
nem soha nije nu_este nu_e nu_sunt не ні ни никогда δεν δε ليس ليست لا لم לא אינה אינו איננה không chẳng bukan
tidak hindi
"""
_NOT_JOINED = """
不是 不等于 不等於 并非 並非 非 而非 不为 不為 不可能是 不可能为 不会是 不會是 不该是 不應是 不应是 不能是
ไม่ใช่ ไม่เท่ากับ
"""
_BETWEEN = """
possible able kann können peut puede pode può kan może może môže může poate voi lehet быть может должен должно
być thể là równy równe równa être ser essere sein zijn bli vara olla be been being is are was were equal equals
equalling to as a an the exactly necessarily simply just really actually our my answer result value definitely
certainly ser es sea son igual a est sont soit être égale égal à la le l' ist sind sein gleich is zijn gelijk
aan è sia sono essere é são seja jest są być równa równe to je jsou být er är vara være on este e sunt fi є е
равен равна равно равны является είναι هو هي היא הוא là phải bằng adalah ialah
"""
_NOT_BEHIND = """
olamaz olmaz değil नहीं নয় নয় نیست نہیں காது அல்ல కాదు
"""
_NOT_BEHIND_JOINED = """
にはならな にならな なり得な になり得な ありえな 수_없 수는_없 ではな ではあり じゃな じゃあり でな とは限ら
ではござ 아니 아닙 아님 不对 不對 不是 并不 並不 改为 改為 改成
是错 是錯 错误 錯誤 错了 錯了 有误 有誤 不正确 不正確 不成立
は間違 は誤 は不正解 が間違 은_틀 는_틀 이_틀 가_틀 틀렸 은_오답 는_오답
"""
_WRONG = """
off misprint typo wrong incorrect false untrue mistaken erroneous invalid inadmissible rejected discarded
refuted excluded eliminated ruled_out crossed_out struck_out withdrawn retracted obsolete outdated superseded
replaced unacceptable inaccurate nonsense dismissed abandoned disproved disproven disqualified impossible
falsch unrichtig verkehrt
verworfen ausgeschlossen faux fausse erroné erronée incorrecte rejeté rejetée falso falsa incorrecto incorrecta
erróneo errónea equivocado equivocada rechazado descartado errado errada incorreto incorreta rejeitado sbagliato
sbagliata errato errata scorretto scartato fout onjuist verkeerd verworpen błędne błędna błędny złe zła fałszywe
nieprawidłowe niepoprawne odrzucone špatně špatná chybné chybná nesprávné nesprávná неверно неверен неверный
неправильно неправильный ошибочно ошибка ложно отвергнуто отброшено исключено невірно неправильна хибно грешно
грешен fel felaktigt felaktig forkert feil galt väärin väärä hibás rossz téves greșit gresit incorect pogrešno
netočno narobe napačno yanlış yanlıştır hatalı λάθος εσφαλμένο خطأ خاطئ خاطئة غلط שגוי שגויה गलत ভুল sai salah
keliru
"""
_COPULA_BEHIND = """
stays remains is was be are were been must should would can could may has had gets this that it which here looks
seems ist war wäre wird est était serait es era está sería seria é foi está è era jest był było je byl bylo er
är var on oli volt este είναι هو هي היה là adalah è_stato это
"""
_STATEMENT_DENIED = """
es_falso_que es_incorrecto_que no_es_cierto_que no_es_verdad_que no_creo_que no_pienso_que no_puede_ser_que
dudo_que niego_que il_est_faux il_n'est_pas_vrai il_n'est_pas_exact je_ne_crois_pas je_ne_pense_pas je_doute
ce_n'est_pas_vrai falsch,_dass falsch_dass nicht_wahr,_dass unwahr,_dass unmöglich,_dass glaube_nicht,_dass
denke_nicht,_dass stimmt_nicht,_dass bezweifle,_dass è_falso_che non_è_vero_che non_credo_che non_penso_che
dubito_che é_falso_que não_é_verdade não_creio não_acho não_penso duvido onjuist_dat onwaar_dat niet_waar_dat
geloof_niet_dat betwijfel_dat неверно,_что неправда,_что не_верно,_что не_правда,_что не_думаю,_что
не_считаю,_что сомневаюсь,_что ложно,_что nieprawda,_że nie_jest_prawdą,_że nie_sądzę,_że není_pravda,_že
fel_att inte_sant_att tror_inte_att ikke_sandt ikke_sant neprav_că nu_cred fals_că δεν_πιστεύω δεν_ισχύει 不认为
不認為 不相信 否认 否認 不同意 并不觉得 不觉得 ليس_صحيحا ليس_صحيحاً לא_נכון_ש không_đúng không_nghĩ tidak_benar
"""
_IF = """
angenommen supposons supongamos supponiamo suponhamos предположим допустим załóżmy if were unless si wenn falls
wäre se fosse als indien jeśli jeżeli gdyby если бы якби якщо ако om hvis jos ha dacă αν εάν إذا لو אם अगर यदि
nếu jika kalau seandainya eğer
"""
_IF_JOINED = "如果 假如 假设 假設 若 倘若 要是 もし 仮に 만약 만일 ถ้า หาก"
_DOUBTFUL = """
suppose assume should under circumstances means disagree common typical popular frequent usual classic misprint
misprints erroneous invalid rejected discarded outdated naive tempting many some most other others students
people friend classmate impossible false untrue wrong incorrect mistaken mistake absurd unlikely nonsense error
fallacy true case correct way contrary refuse nobody no cannot decline avoid reject doubt deny refute dispute
exclude discard rule disprove dismiss instead rather unlike assuming supposing imagine pretend what test try
check testing trying
"""
_REPLACE = """
replace exchange swap overwrite ersetze ersetzen remplacez remplacer remplace reemplaza reemplace troque
sostituisci sostituire vervang замени замените заменить zastąp nahraď
badilisha badala_ya değiştir ganti
"""
_FIRST = """
olamaz olmaz n non não nie nije nu ne ei stimmt passt gilt klopt vale va convient could might may would will looks
seems correction corrigendum erratum edit no scratch but however well hmm wait oops that this which it i isn
cannot can fail fails does doesn if unless otherwise or
"""


def entries(table: str) -> tuple[str, ...]:
    """The entries of one of the tables above."""
    return tuple(dict.fromkeys(entry.replace("_", " ") for entry in table.split()))


NOT = frozenset(entries(_NOT))
"""A "not" that stands before the answer, with nothing but `BETWEEN` in between."""
NOT_JOINED = entries(_NOT_JOINED)
"""The same where words are not set apart by blanks."""
BETWEEN = frozenset(entries(_BETWEEN))
NOT_BEHIND = (*entries(_NOT_BEHIND), *entries(_NOT_BEHIND_JOINED))
"""What stands right behind a denied answer and needs no copula."""
WRONG = entries(_WRONG)
"""What is said of an answer that does not stand."""
COPULAS_BEHIND = entries(_COPULA_BEHIND)
"""What joins such a word to the answer before it."""
STATEMENT_DENIED = entries(_STATEMENT_DENIED)
"""What denies the statement that follows; the English ones stand in frame.py."""
REPLACE = entries(_REPLACE)
"""What takes the value that follows away, to put another in its place."""
IF = entries(_IF)
IF_JOINED = entries(_IF_JOINED)
"""What makes the statement that follows a condition."""
DOUBTFUL = entries(_DOUBTFUL)
"""Words of the patterns of frame.py that read what leads up to an answer: a quick look for them."""
FIRST = entries(_FIRST)
"""Words on which what denies or takes back an answer begins, besides `WRONG` and `COPULAS_BEHIND`: the same."""
SIGNS = "❌✗✘✖🚫👎"
"""Signs for "wrong"."""
