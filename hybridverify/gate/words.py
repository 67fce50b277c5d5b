"""The words of texts that answer nothing, in many languages. Data only, read by fold.py.

Entries are folded before they are looked up (case, accents, width), so they need no variants. An entry with `_` is a
phrase of several words. Openers announce an answer; fillers stand around them and mean nothing alone.
"""

from __future__ import annotations

NOTHING = """
none null nil undefined n_a na nan unknown nothing empty ninguna ninguno nada aucun aucune rien keine keiner
nichts nessuno nessuna niente nenhum nenhuma geen ingen brak нет ничего 無 无 没有 なし 없음
"""
"""Words for nothing at all."""

GRAMMATICAL = """
a an the to of for by with and as in on at from this that these those it its is are be being would could should
we i you my your our me he they here there so do does have has what which into been
"""
"""Words of grammar that say nothing by themselves."""

SPEAKER = """
im us model assistant en nous wir sono har ja je к мы мой 我 我们 我們 mi ill ive oss jag हम
"""
"""Words of somebody who speaks of oneself."""

UNDECIDED = """
unsure uncertain idk dunno unanswered desconocido inconnue unbekannt sconosciuto onbekend nevim ismeretlen
necunoscut bilmiyorum bilinmiyor неизвестно невідомо αγνωστο अज्ञात 未知 不明 모르겠습니다
"""
"""Words that say that something is not known."""

OPENERS = """
answer answers ans solution solutions solve solving solved reasoning explanation explanations explain
response
responses reply thought thoughts thinking think step steps analysis analyze analyse approach walkthrough
rationale
derivation proof working workings method strategy breakdown outline summary conclusion result results output
question problem task exercise prompt heading placeholder insert reference ground truth student
candidate
let lets begin okay ok alright sure certainly absolutely hmm scratchpad
respuesta respuestas solucion soluciones resolver resolvamos resolucion razonamiento explicacion pensamiento
pensemos procedimiento desarrollo paso pasos planteamiento analisis resultado vamos pregunta
problema
reponse reponses resolvons resolution raisonnement explication demarche etape etapes corrige pensee
demonstration
reflexion resultat probleme exercice
antwort antworten losung losungen losungsweg losen lose erklarung gedankengang uberlegung uberlegungen
schritt
schritte begrundung ergebnis rechnung rechenweg ansatz herleitung aufgabe frage zusammenfassung lass lasst
risposta risposte soluzione soluzioni ragionamento spiegazione passo passi passaggio passaggi risolviamo
risolvere
svolgimento procedimento pensiero risultato
resposta respostas solucao solucoes raciocinio explicacao resolucao passos desenvolvimento
antwoord oplossing uitleg redenering stap stappen uitwerking denkproces berekening laten
svar losning losningen forklaring steg trin trinn resonemang tankegang berakning beregning
vastaus ratkaisu selitys vaihe vaiheet perustelu odpowiedz rozwiazanie wyjasnienie krok kroki rozumowanie
odpoved reseni vysvetleni postup riesenie vysvetlenie valasz megoldas magyarazat lepes lepesek
raspuns solutie rezolvare explicatie pasi rationament cevap cozum aciklama adim yanit dusunce sureci
jawaban jawapan jawab solusi penyelesaian penjelasan langkah demi pembahasan jalan pemikiran
jibu suluhisho hatua maelezo sagot solusyon paliwanag vastus lahendus atsakymas sprendimas atbilde
risinajums
resitev rjesenje resenje odgovor objasnjenje pergjigje zgjidhje solucio erantzuna ebazpena lausn
freagra
ateb respondo solvo solutio responsum cavab hell javob yechim
dap loi giai tra buoc suy luan trinh nghi
ответ ответы решение решения решим рассуждение рассуждения объяснение шаг шаги шагам ход мыслей мысли разбор
пояснение вывод давайте давай подумаем задача задачу вопрос результат
відповідь розвязання розвязок рішення пояснення крок кроки міркування отговор обяснение стъпка
одговор решење корак жауап шешім хариу
απαντηση λυση εξηγηση βημα βηματα σκεψη συλλογισμος
תשובה התשובה פתרון הפתרון הסבר צעד שלב חשיבה
الجواب الاجابة اجابة جواب الحل حل شرح الشرح خطوة خطوات التفكير تفكير النتيجة دعونا دعنا لنحل
پاسخ راه توضيح توضیح گام مرحله وضاحت
उत्तर हल समाधान जवाब व्याख्या चरण विचार उत्तरम् স্টেপ উত্তর সমাধান ব্যাখ্যা ধাপ விடை தீர்வு பதில் விளக்கம்
సమాధానం పరిష్కారం వివరణ ഉത്തരം ಉತ್ತರ ಪರಿಹಾರ જવાબ ઉકેલ ਉੱਤਰ ਜਵਾਬ විසඳුම පිළිතුර
คำตอบ วิธีทำ เฉลย วิธีคิด ขั้นตอน คำอธิบาย การคิด กระบวนการคิด ចម្លើយ ຄຳຕອບ အဖြေ መልስ მპასუხი პასუხი ამოხსნა
պատասխան լուծում
답 정답 해설 풀이 해답 답변 해결 설명 과정 사고 풀이과정 단계 생각 사고과정 최종답 문제 해봅시다 봅시다
풀어 생각해
答え 解答 解説 解 解き方 回答 答 かいせつ かいとう こたえ 思考 過程 正解 考え方 説明 解法 手順 ステップ
バイ 導出 考え 解き
まず みましょう ましょう 考えて 解いて いきましょう 答案 解析 解题 解題 过程 思路 分析 步骤 步驟 证明 證明
详解 詳解 推理 推导 题目 問題 问题
让 讓 解决 解決 求解 作答 回复 首先 好的 详细 一步 答复 思维 论证 结论 結論 題目 点评 提示
sol soln chain therefore thus hence qed proceed process processo proceso processus prozess proces proses
prosess
processen protsess surec chains trace scratch worked detailed answering begins
demostracion dimostrazione beweis dokaz dowod bevis bewijs todistus ispat doboz
pensamento
krokem adimda cozelim problemi denkprozess denkvorgang gedanken myslowy myslenia
tankeprocess svaret vastaukseni selesaikan berpikir kita mysleni uvaha gondolatmenet
доказательство процесс рассуждений шагом мышления жауабы шешу
נחשוב סופית נפתור שלבים عملية نحل المسألة بخطوة التفصيلي المفصل لنفكر استدلال برهان اثبات دليل
आइए करें सोच प्रक्रिया स्पष्टीकरण প্রক্রিয়া চিন্তা செயல்முறை ప్రక్రియ
証明 考察 推論 途中式 解説文 풀이과정은 증명 추론 解析过程 思维过程 思考过程 思考過程 解题过程 解题思路
推理过程 一步一步地 步骤如下
denken nadenken bekijken oplossen vyresit vyresime pojdme podivejme rozwiazmy zastanowmy losa ratkaistaan mietitaan
vaiheelta tankar tenker resonera oldjuk gondolkodjunk rezolvam gandim fikirkan riješimo resimo razmislimo
resolverlo resolverla resolverlos resolviendo solucionar solucionemos
λυσουμε σκεφτουμε αναλυσουμε צעדים
จงแก้ปัญหา แก้ปัญหา แก้โจทย์ ทีละขั้นตอน มาแก้ มาคิด คิดทีละขั้น हल_करते चलिए चलो सोचते
figure considering
"""
"""A text of openers and fillers, with at least one opener, answers nothing."""

FILLERS = """
[SPEAKER] [GRAMMATICAL]
gold will can
must may now first firstly second next then finally
well final correct right full complete detailed short brief given following follows follow below above
provided
provide give show shown doing need needs needed want work out down break through carefully
one
possible actual official user goes equal equals exactly about how start started
starting today help please thank thanks great good happy by-step process section part text key obtained
found
determine determined find compute calculate calculated understand consider look take try using use based per
la el los las un una unos unas de del al y e o es son por para con se que este esta estos problema
correcta correcto completa esto nos pensar detallada continuacion
le les des du au aux et est sont ce cette ces par pour dans finale voici il
der die das den dem ein eine einen einem ist sind lautet und fur zu uns mit von hier folgt
dieses diese
lo gli dei della delle di questo questa corretta ecco
os um uma da dos sao com isto
het een zijn voor van met dit deze uiteindelijke
det ett ar er och og med vi detta dette slutligt ovat
jest na z po ostateczna prawidlowa za s ez az egy si pe bir ve bu icin adim dogru
adalah ini itu dan untuk akhir benar kita mari ni kwa hii ang ay ng
cua cho nay cuoi cung dung chung ta hay va
это эту этот и в на с по за нам так вот правильный верный окончательный итак ваш
це та і до ми остаточна е да η το του της ο ειναι τελικη και הוא היא את של הסופית
هو هي في من الى على هذا هذه النهائية الصحيحة و است این را به है का यह और अंतिम सही হল এই চূড়ান্ত
은 는 이 가 을 를 의 로 으로 에 다음 다음과 같습니다 최종 입니다 별로 별 하나씩 먼저 해 이제 같이 다
は が を の に で と も へ から です ます だ 次 以下 下記 通り 最終 最終的な まずは これ この よう とおり
り き け い え しよう ましょ う
的 是 为 為 在 了 和 与 你 请 請 这 这个 这道 這個 如下 下面 来 來 先 再 地 得 将 最终
正确 正確 完整 一下 进行
一步一步 逐步 步 题 題 道 好 有 思 所 个 其 本 此 给出
ครับ ค่ะ คือ ของ ที่ นี้ และ
mis tu su suya полное полный краткое моё adimlari cozumu 및 参考 參考 의견 다음은
heres thats theres weve youre lets see information like each every again note some more any
dopo probleem detaillee dettagliata detalhada ausfuhrliche vollstandige
bai toan tung cau bang nhu sau huong
sie stap denk eens even krok krokem kroku steg tama vaihe sen kerrallaan maar trin ad
βημα ας μαζι בוא בואו אחר אחד זה กัน ปัญหา กันเถอะ ते करते कदम दर
begin beginning hence
इसे चरणबद्ध مفصل ب سوف هنا נו ה
"""
"""Words that say nothing by themselves."""

CLAIMS = """
whatever says expects expect wanted copy authorities expert experts certified confirms guaranteed
because since therefore thus hence valid true correctly correctness correct right matches match matched
matching
equal equals equivalent identical same required expected exact exactly confirmed confirm verified verify
verifies verification definition definitions directly all every each statement claim simplify simplified
simplifying simplification desired intended accurate accurately stated derived derive derives obvious
clearly clear trivially trivial standard known well established consistent agree agrees agreement
official key provided given shown proven proved prove checked check evaluated evaluation evaluate
"""
"""Words that praise an answer. With openers and fillers alone they answer nothing."""

ADDRESS = """
ignore previous prior instructions instruction system grading grade graded grader judge judged judging
verdict
positive accept accepted acceptable accepts pass passed passes passing finished mark marked marks score
scored maximum credit decision judgement judgment approved approve reward success successful
successfully marking scoring override disregard
"""
"""Words that are addressed to a judge."""

ADDRESS_FILLERS = """
return returns replies respond responds teacher professor evaluator
other such very indeed just only also too both print say says write treat
treated considered assigned set when if always still without further
"""

VERDICTS = """
valid validity equal equivalent identical same consistent inconsistent verified proven proved disproved confirmed
untrue falsehood truth accurate inaccurate certain possible impossible positive negative agree agrees disagree
agreement contradiction unchanged constant unaffected stay stays stayed remain remains remained change changes alike
equally tie neither both
"""
"""With LABELS: a reference with one of these words may mean what a text that praises itself says."""

HEADINGS = """
grade score total decision judgement judgment verdict label rating points match pass
"""
"""Those of LABELS that are everyday nouns: "the pass mark", "match points"."""

TO_A_JUDGE = """
ignore disregard override output print return reply respond say write answer mark label judge grader grade system
instruction instructions decision judgement judgment verdict score rating
"""
"""With a label they make an order to a judge, or the heading of a judge's verdict."""

ELSEWHERE = """
same ditto see_above as_above as_given as_stated_above same_as_above the_same_as_above what_you_expect idem
siehe_oben 同上
"""
"""Whole texts that point at an answer and do not give it."""

PLACEHOLDERS = """
value number result answer text string expression letter choice option formula name word here insert your
integer digit decimal variable content output target gold
"""
"""Words in brackets that stand in for an answer: "[number]"."""

LABELS = """
true false yes no correct incorrect right wrong valid invalid accept accepted approved [HEADINGS]
"""
"""Labels that judges are asked for. They answer no question whose reference is a number."""

NO_ANSWER = """
[UNDECIDED] [NOTHING]
fixme xxx xxxx foo foobar lorem_ipsum i_dunno id_rather_not no_solution_provided
no_answer no_response no_solution_found none_given
not_available
not_applicable not_found not_given not_provided not_sure i_dont_know i_do_not_know
dont_know
do_not_know no_idea not_known no_clue tbd todo blank missing skip skipped pass
no_result
no_output no_value no_final_answer no_answer_found no_answer_given no_answer_provided answer_not_found
could_not_determine cannot_answer cant_answer unable_to_answer i_cannot_answer i_cant_answer no_comment
error
exception failed failure not_answered nonetype void answer_unknown no_data not_a_number without_answer
no_se no_lo_se sin_respuesta no_hay_respuesta
je_ne_sais_pas
inconnu sans_reponse pas_de_reponse weiss_nicht ich_weiss_nicht
ich_weiss_es_nicht
keine_antwort keine_angabe non_lo_so non_so nessuna_risposta
nao_sei desconhecido sem_resposta niets ik_weet_het_niet weet_ik_niet
geen_antwoord
inget vet_ej vet_inte okand ei_tiedossa en_tieda nie_wiem nieznane brak_odpowiedzi nezname
bez_odpovedi nem_tudom niciuna nu_stiu yok cevap_yok
tidak_ada tidak_tahu tidak_diketahui khong_biet khong_co không_co_đap_an khong_ro
не_знаю нет_ответа без_ответа нет_данных немає немає_відповіді
не_знам
κανενα δεν_ξερω אין לא_יודע לא_ידוע لا_شيء لا_اعرف لا_اعلم غير_معروف لا_يوجد نمیدانم پتہ_نہیں
पता_नहीं नहीं_पता कोई_नहीं জানি_না অজানা
不知道 我不知道 不清楚 不确定 不確定 没有答案 沒有答案 无答案 無答案 暂无 空 沒有 未定
无法回答 無法回答
わからない 分からない わかりません 分かりません 不明です 答えなし 無し 回答なし 모름
알수없음 알_수_없음 답없음 잘_모르겠습니다
ไม่ทราบ ไม่รู้ ไม่มีคำตอบ
"""
"""Whole texts that say that there is no answer."""

NOTHING_CUES = """
[NOTHING]
no not never nobody nowhere nonexistent exist exists existent
impossible indeterminate divergent diverges cannot without dne emptyset varnothing
无解 無解 不存在 zero
"""
"""A reference with one of these words may mean the same as "None" or an empty set."""

SIGNS = """
plus minus positive negative sign less greater more smaller larger equal equals equality addition
subtraction
multiplication division increasing decreasing
"""
"""A reference with one of these words may mean the same as a lone `-` or `<`."""
