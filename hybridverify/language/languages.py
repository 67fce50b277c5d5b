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
_OPTION = """
option options choice answer alternative letter вариант ответ opción opcion opção réponse antwort risposta opzione
resposta respuesta jibu chaguo lựa_chọn seçenek विकल्प الخيار 选项 選項 选择 選擇 答案 选 選 故选 故選 应选 選択肢 正解
正解は 答え 정답 정답은 보기 선택지
"""
_CHOOSING = """
choose pick select prefer answer think believe say conclude it's it_is is be leaving leaves leave go_with
going_with gets i'd_say this_gives gives means so therefore thus hence opt_for settle_on final_answer answer_is but
选 選 选择 選擇 故选 故選 应选 應選 是 为 為 は 는 은 剩下 只剩 wähle bleibt choisis reste elijo queda escolho resta
scelgo выбираю остаётся остается nachagua
"""
_RESULT = """
result sum total output product difference quotient value solution ans ergebnis summe lösung résultat somme solution
resultado suma solución soma solução risultato somma soluzione итого результат сумма решение matokeo jumla jibu
परिणाम योग النتيجة المجموع 结果 結果 结论 結論 总数 總數 总和 合计 合計 결과 합계 답
"""
_COMPARING = """
más_de menos_de al_menos mayor menor mehr_als weniger_als mindestens höchstens über unter etwa ungefähr vielleicht
plus_de moins_de au_moins au_plus environ peut-être più_di meno_di almeno circa forse mais_de menos_que pelo_menos
talvez quizás casi presque fast quase больше меньше более менее минимум около примерно может возможно не_ zaidi chini
angalau labda 至少 至多 超过 大约 可能 也许 以上 以下 以内 未満 約 くらい かも 이상 이하 미만 초과 약 아마 कम अधिक
ज़्यादा शायद लगभग أكثر أقل حوالي ربما تقريبا mara_ fois mal_ veces раз 倍 배 गुना
"""
_RIGHT = """
correct corret corrett richtig bon juste exacte esatt giust cert правильн верн final définiti definitiv endgültig
poprawn doğru sahihi juist riktig
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
لذا لذلك إذن अतः इसलिए অতএব তাই ดังนั้น
"""
_RETRACTION = """
korrektur: ich_habe_mich_verrechnet ich_habe_mich_geirrt ich_habe_mich_vertan mein_fehler das_war_falsch das_ist_falsch
je_me_suis_trompé je_me_trompe erreur_de_ma_part j'ai_fait_une_erreur je_corrige c'est_faux correction_:
me_equivoqué me_he_equivocado cometí_un_error error_mío corrección: corrijo me_confundí eso_está_mal
me_enganei cometi_um_erro correção: mi_sono_sbagliato mi_sono_sbagliata correzione: ho_sbagliato
я_ошибся я_ошиблась исправление исправляю исправлюсь поправка моя_ошибка допустил_ошибку допустила_ошибку это_неверно
更正 纠正 糾正 我错了 我錯了 我弄错 我搞错 我算错 算错了 写错了 看错了 说错了 弄错了 搞错了 不对 不對 有误 修正 我收回
訂正 間違えまし 間違いまし 間違えた 計算ミス 誤りでし 正しくは 정정 실수했 틀렸습니다 잘못_계산
"""
_DOUBT = """
moment halt stopp warte nein entschuldigung doch_nicht vielmehr genauer_gesagt genau_genommen
attendez attends pardon désolé désolée en_fait non plutôt ou_plutôt
espera esperen perdón perdona disculpa en_realidad mejor_dicho más_bien
espere desculpe na_verdade aspetta scusa in_realtà anzi
подожди подождите стойте стоп извини извините простите на_самом_деле нет точнее вернее хотя_нет
等等 等一下 抱歉 对不起 不， 不是， 应该是 應該是 应为 應為 其实 其實 重新计算 重新检查
すみません 失礼 いや 待って やっぱり 잠깐 아니
"""
_OR = """
或 或者 或是 또는 혹은 または もしくは あるいは या أو یا או или або или али או หรือ
"""
_AND = """
和 且 与 與 및 그리고 와 과 と और و и та і და και και ו และ
"""
_ENDING_JOINED = """
입니다 이에요 예요 이다 です になります となります となる になる である だ
"""
_ENDING = """
है हैं होगा होगी होते_हैं ہے ہیں است می‌باشد می_باشد dir dır dur dür tir tır tur tür'dir হয় ஆகும் అవుతుంది
"""

_FUNCTION = """
a an the of in on at to from by with for and or but as into onto over under near than then that this these those there
der die das ein eine einer des dem den von in im am zu mit und oder le la les un une des du de et ou au aux en dans
el los las una unos del al y o con por il lo gli uno di da e ed nel nella het een van met
"""
_SUMMING = """
now then total altogether all overall together exactly just still
"""
_MEASURED = """
total sum amount cost price distance length height width depth speed rate profit average mean value result age area
volume score weight temperature probability year month day date sale loss tip bill fee
"""
_LITTLE = """
so thus therefore hence finally it's that's there's takes took need needs needed cost costs equals get gets got make
makes made happened happens left remain remains sum total year years answer result value gives there
"""
_PREDICATE = """
is was are were be been being am has have had do does did can could will would may might shall should must it its he
his him she her they them their we our you your i my who whom whose which also both either maybe perhaps possibly
between ist waren hatte sie es est était sont il elle fue ella
"""


def _entries(table: str) -> tuple[str, ...]:
    return tuple(entry.replace("_", " ") for entry in table.split())


ANSWER_ROOTS = _entries(_ANSWER)
"""Roots of the word "answer" besides the English one; their endings are free."""
COPULAS = _entries(_COPULA)
"""Words between such a root and the answer; signs (`:`, `=`) and East Asian particles stand in stated.py."""
RIGHT_ANSWER = _entries(_RIGHT)
"""How words begin that call an answer the right or the final one."""
COMPARING = _entries(_COMPARING)
"""What makes another number of the one that follows, or leaves it open."""
RESULTS = _entries(_RESULT)
"""Labels of a last line that give what was sought."""
OPTION_NOUNS = _entries(_OPTION)
"""What stands before the letter of an option."""
CHOOSING = _entries(_CHOOSING)
"""What leads up to an option that is chosen."""
CONCLUSIONS = _entries(_CONCLUSION)
"""Words that open a closing sentence."""
RETRACTIONS = _entries(_RETRACTION)
"""What takes back what was just said, wherever it stands; the English ones stand in retraction.py."""
SECOND_THOUGHTS = _entries(_DOUBT)
"""What opens a sentence that may take back what was just said: it depends on where it leads."""
JOINING_OR = _entries(_OR)
JOINING_AND = _entries(_AND)
"""What stands between items, in scripts whose words are no letters of mathematics."""
ENDINGS_JOINED = _entries(_ENDING_JOINED)
"""Copulas that stand behind the value that they state, without a blank."""
ENDINGS = _entries(_ENDING)
"""The same, words of their own."""
FUNCTION_WORDS = frozenset(_entries(_FUNCTION)) | frozenset(_entries(_PREDICATE))
"""Words that hold a phrase together and name nothing."""
PREDICATES = frozenset(_entries(_PREDICATE))
"""Those of them that make a sentence of a phrase."""
MEASURED = frozenset(_entries(_MEASURED))
"""What may be said to be *of* so much and so many, while half of it, and the opposite of it, are others."""
SAYING_LITTLE = frozenset(_entries(_LITTLE))
"""Words of a sentence with a value that add nothing to what was asked."""
SUMMING = frozenset(_entries(_SUMMING))
"""Words that a sentence with a result has beside what it counts."""
