"""The words of texts that decline to answer, in many languages. Data only, read by refusals.py.

Entries are single words and are folded before they are looked up, as in words.py. A text is a refusal if it holds
only these words and fillers, among them one that denies and one of knowing or answering.
"""

from __future__ import annotations

DENIALS = """
not no nor never without unable cannot cant dont doesnt didnt isnt wasnt arent werent wont wouldnt couldnt
havent hasnt aint lack lacks lacking fail failed fails insufficient inadequate impossible difficult hard
beyond refuse refuses decline declined declines nobody none nothing little incapable ni nunca sin imposible
insuficiente insuficientes incapaz dificil falta faltan nadie ninguna ningun ne pas n non jamais sans
insuffisant insuffisantes manque aucune aucun personne difficile nicht kein keine keinen keiner nie ohne
unmoglich unzureichend ungenugend fehlt fehlen niemand schwer mai senza impossibile insufficienti
insufficiente incapace manca mancano nessuno nessuna nao sem impossivel faltam ninguem nenhuma niet geen nooit
zonder onmogelijk onvoldoende inte inga ingen ikke ej utan uten otillracklig otillrackligt utilstrekkelig
umulig omojligt aldrig brak bez niemozliwe nikt zadnej zadnych nelze neni nemohu nemuzu nedostatek nikdo ei en
emme eivat ilman riittavasti nem nincs lehetetlen senki nu fara imposibil nimeni degil yok hic yetersiz
olmadan mumkun imkansiz tidak bukan tanpa belum mustahil kurang khong chua thieu не ни нет без нельзя
невозможно недостаточно никто трудно затрудняюсь неможливо недостатньо немає ніхто δεν μη χωρις αδυνατον
κανεις ανεπαρκεις לא אין בלי אי אפשר בלתי لم ليس ليست لن بدون غير عدم لا يوجد توجد تعذر يمكن نہیں नहीं बिना
अपर्याप्त না নেই 不 没 没有 沒 沒有 無 无 无法 無法 未 未能 不能 难以 難以 缺乏 缺少 不足 不够 不夠 无从 無從
没办法 沒辦法 不会 不會 いません いない おりません ない ません ありません なく 無い できない できません
かねます かねる 不可能 困難 なかった 없 없다 없습니다 없어요 없네요 않습니다 않아요 않다 않음 않은 못 못합니다
못해요 부족 부족합니다 부족해요 부족하여 부족해서 부족함 어렵습니다 어려워요 어렵다 불가능 불가능합니다 ไม่
ไม่มี ไม่ได้ ไม่สามารถ wish naucune nest nai nen nul nema nemam nemame nemaji hicbir manglar saknas saknar
mangler mangel brakuje chybi puuttuu hianyzik lipsesc need needs needed require requires required necesito
necesita necesitan besoin faut benotige benotigt brauche serve servono preciso precisa behover trenger нужно
нужны требуется потрібно 需要 必要 필요 필요합니다
"""
"""Words that deny, or say that something is lacking."""

KNOWING = """
know knows known knew knowing knowledge determine determined determining determinable ascertain ascertained
answered answering answer answers answerable tell recall recalled remember remembered infer inferred deduce
deduced figure clue idea ideas information info say respond comment certainty saber sabe sabemos saben sabria
conozco conocemos conoce determinar determinarlo determinarse responder responderla responderlo contestar
contestarla respuesta decir decirlo decirte informacion recuerdo acuerdo savoir sais savons sait connais
connait connaitre determiner repondre reponse dire idee informations souviens rappelle wissen weiss wissens
bekannt bestimmen bestimmt beantworten beantwortet antworten antwort sagen ahnung informationen erinnern
feststellen kenne kennt ermitteln angeben sapere so sappiamo sa conosco conosce determinare rispondere
risposta dirlo informazioni informazione ricordo sei conheco conhece resposta dizer ideia informacao
informacoes lembro weten weet kennen bepalen beantwoorden antwoorden antwoord zeggen informatie benul
herinneren vet veta vete vites bestemme bestamma svara svare svaret svar saga sige si aning anelse informasjon
informationer kanner kjenner besvare besvaras besvares wiem wiemy wie wiadomo znam okreslic ustalic
odpowiedziec odpowiedz odpowiedzi pojecia informacji pamietam powiedziec vim vime nevim vi urcit odpovedet
odpoved odpovedi tuseni informaci informace zjistit rict tieda tiedossa tiedetä vastata vastausta vastaus
maarittaa tietoa tietoja muista osaa sanoa tudom tudjuk tudni tudja ismert ismerem meghatarozni megvalaszolni
valaszolni valasz valaszt informacio fogalmam stiu stim sti stie cunosc determina raspund raspunde raspuns
raspunsul informatii bilmiyorum bilmiyoruz bilinmiyor bilgi bilgim bilgiye cevap cevabi cevaplayamam
cevaplayamiyorum yanit yanitlayamam belirlenemez belirlenemiyor fikrim hatirlamiyorum soyleyemem tahu
mengetahui diketahui menjawab jawaban jawabannya informasi menentukan ditentukan ingat yakin biet ro tra loi
cau xac dinh thong tin nho chac знаю знаем знает известно знать определить ответить ответа ответ отвечать
сказать информации данных информация помню представления понятия уверен уверена установить знаємо відомо знати
визначити відповісти відповіді відповідь сказати інформації памятаю уявлення впевнений ξερω ξερουμε γνωριζω
γνωστο προσδιοριστει απαντησω απαντηση απαντηθει ιδεα πληροφοριες θυμαμαι πω יודע יודעת יודעים ידוע לדעת לענות
תשובה התשובה מידע מושג לקבוע זוכר اعرف اعلم نعرف نعلم معروف معروفة تحديد الاجابة إجابة
معلومات فكرة اتذكر الجواب جواب معرفة जानता पता मालूम ज्ञात उत्तर जवाब जानकारी निर्धारित याद জানি
উত্তর তথ্য জানিনা 知道 清楚 确定 確定 回答 答案 信息 資訊 资讯 判断 判斷 得知 解答 了解 瞭解 明白 記得
记得 推断 推斷 答 分かり わかり 分から わから 分かる わかる 知り 知ら 知っ 答え お答え 情報 特定 思い出せ 存じ
알 알지 알수 모르 모르겠 모릅니다 모르겠습니다 모르겠어요 모르겠네요 모르겠음 몰라 몰라요 답 답을 답변 답변할
답변드릴 답변드리기 대답 대답할 정보 정보가 판단 판단할 기억 확실하지 확신 단정 ทราบ รู้ คำตอบ ข้อมูล ตอบ
แน่ใจ จำ ระบุ aware mention mentioned mentions stated specify specified disclosed pojem context contexts data
details evidence certain sure confident seguro segura certeza sur sicher certo certa zeker saker sikker pewien
pewna jisty jista varma biztos sigur emin saprei saprebbe saberia dinformation dinformations ved vides 资料
資料 数据 數據 上下文 線索 线索 覚え 覚えて 手がかり 데이터 기억나지 기억이 확실
"""
"""Words of knowing, remembering or answering."""

UNKNOWING = """
[UNDECIDED]
unclear nevime netusim nezinau nezinu unknown unanswerable undetermined undeterminable
indeterminable unspecified clueless unfamiliar undisclosed unavailable depends varies
depende dipende unbeknownst sorry apologies apologize apologise regretfully desconozco desconocemos ignoro
desconocida disculpa disculpe perdon ignore desole desolee pardon ungewiss
unklar entschuldigung scusa spiacente sconosciuta ignoto desconheco desconhecida desculpe
onduidelijk okant ukjent ukendt tyvarr desvarre nieznana nieznany przepraszam neznamo neznama tuntematon
sajnos necunoscuta maalesef bilinmeyen bilinmez belirsiz неизвестен
неизвестна извините простите невідомий вибачте αγνωστος συγγνωμη סליחה آسف عذرا مجهول
क्षमा 不详 不詳 抱歉 对不起 對不起 申し訳 すみません ごめんなさい 죄송합니다 죄송하지만 미안
미안합니다 불명 알려지지 미상 ขอโทษ ขออภัย unaware yanitlayamam yanitlayamiyorum cevaplayamam cevaplayamiyorum
bilmiyoruz 모르 모르겠어요 모르겠네요 모르겠음 모릅니다 몰라 몰라요 lignore
jignore jlignore bilmem 모르겠는데요 모르겠는데 모르겠군요 모르네요
"""
"""Words that say by themselves that nothing is known, or that apologise."""

ABOUT_KNOWING = """
find found finding solve solved compute calculated calculate established decide decided conclude concluded
identify identified verify verified confirm confirmed provide provided give given offer offered state stated
specify specified mention mentioned revealed details data context understand certain sure confident help
assist access available enough sufficient ability able capable possible clear request requested supply
supplied produce reply response material source sources record records training internet real time include
includes included contain contains cover covers covered way ways means speak language languages ayudarte
"""
"""Words that decline to answer only where the writer speaks of itself."""

ITSELF = """
[SPEAKER]
i id me my myself we our ourselves as an ai llm language chatbot yo mio puedo
podemos tengo tenemos siento soy estoy j moi peux pouvons suis ich mir mich mein kann konnen habe
haben bin leider io ho posso possiamo abbiamo eu meu tenho temos sinto ik kan heb mij ben jeg
mig meg mam moge niestety mohu mina voi minulla emme voimme biz bana uzgunum saya aku kami maaf toi
minh xin я мне меня у нас могу можем сожалению εγω μπορω λυπαμαι אני אנחנו לי אנו מצטער أنا نحن
لدي لي ليس मैं मुझे मेरे आमि আমি আমার 本人 私 わたし 僕 저는 나는 제가 나 저 ฉัน ผม ดิฉัน
"""
"""Words by which a writer speaks of itself."""

GIVING_UP = """
skip skipped pass passing forgot forgotten forget stumped escapes surrender paso passo
"""
"""Words that give up, where the writer speaks of itself."""

IDIOMS = """
i_give_up give_up beats_me search_me who_knows god_knows god_only_knows only_god_knows heaven_knows
your_guess_is_as_good_as_mine dont_ask_me hard_to_say hard_to_tell difficult_to_say to_be_determined
to_be_decided to_be_announced to_be_confirmed it_could_be_anything could_be_anything could_be_anyone
it_could_be_anyone anything_is_possible next_question left_blank quien_sabe chi_lo_sa wie_weet 不好说
"""
"""Whole texts that leave the matter open."""

OTHERS = """
he she they him her his hers them their theirs
"""
"""Words about other people: "He does not know" is an answer."""

AROUND_KNOWING = """
chat were
did had might really actually simply just quite very precisely currently present
presently all anything whatever whatsoever further much additional too but however
unfortunately afraid regret honestly frankly truly nowhere anywhere anyone someone who when where
why whether if because since due or rather prefer think got within only yet
still regarding concerning over under their them
such particular specific question questions problem topic subject matter passage article document
ask asking later make makes made come up comes came mind blank head top off
reliable accurate definite definitive proper exact precise mas
sobre ese suficiente suficientes datos pregunta puede pueden dado dados proporcionada
disponible claro tiene todo nada cual quien assez suffisamment d l
peut rien tout c qui quoi quelle quel genug ausreichend reichend frage
dieser daruber dazu man lasst sich darauf gar wer was wann wo nichts genau abbastanza
sufficienti domanda puo nulla niente chi cosa dati purtroppo sicuro pergunta essa
isso pode infelizmente quem vraag genoeg voldoende helaas wat hierop helemaal
fraga fragan sporsmal sporgsmal tillrackligt nok nog om pa pytanie pytania wystarczajaco
tego tej mozna otazku otazka dost tuto bohuzel lze tahan kysymykseen kysymys
tarpeeksi etta sita erre kerdesre kerdes eleg ezt intrebare aceasta intrebarii pot am
soruyu soruya sorunun yeterli hakkinda yazik ki pertanyaan cukup tentang bisa dapat hal
dieu co вопрос этого достаточно об этом точно ли увы можно кто что
когда питання цього достатньо жаль про την ερωτηση αυτη αρκετες για να αυτο στην εχω השאלה הזו שאלה
מספיק על יכול לצערי בשאלה السؤال عن كافية كافي استطيع يمكنني للأسف بشكل ما ذلك
प्रश्न सवाल पर्याप्त बारे लिए दे सकता करें প্রশ্নের 能
可以 足够 足夠 条件 條件 该 該 個 问题 問題 关于 關於 相关 相關 更多 任何 太 很 也 都 吗 呢 啊
想 出 出来 说 說 根据 根據 提供 给定 給定 給出 题目 目前 现有 現有 以 到 对 對
准确 準確 具体 具體 その ご お には について する して し 十分 な 残念
ながら され された からは だけ 質問 申し上げ こと 与え られた られ いる あり それ まだ よく 全く まったく
ん せん ため でき ございません ございませ 수 수가 할 드릴 드리기 하기 그 질문 질문에
대한 대해 충분하지 충분한 충분히 확인 확인할 잘 전혀 주어진 제공된 만으로는 것은 것이 죄송
지 도 내 기가 มี เพียงพอ สามารถ ได้ คำถาม เรื่อง เกี่ยวกับ ให้ จะ ว่า พอ faintest
slightest foggiest least dispongo disponemos dispone cuenta cuento gran saberlo suffisent suffit
permettent permet liegen liegt vor genugend reichen reicht dispiace faco fazer ha haver dat
zel litujeme имею маю имеется для достаточных дай дать iletisim veremem veriyorum henuz simdi 這 那
呀 哦 ada कोई 方面 这方面 這方面 いなく おり のデータ 데 요
"""
"""Words that may stand around the words of knowing."""

TURNS = """
but maybe perhaps probably possibly likely believe guess think suspect suppose assume however though although
presumably creo mais crois pense glaube denke ma credo penso acho men tror moze de но может думаю але 应该
"""
"""What follows one of these words is an answer."""

POINTING = """
mentioned described named listed shown discussed implied referenced referred asked quoted cited question
passage text context article paragraph story problem prompt subject topic paper source
"""
"""Words that point at something said elsewhere."""

ABOUT_POINTING = """
one ones above below earlier before
previously already given itself same thing things person people place right correct
true real actual indeed certainly surely obviously clearly well known fact facts common commonly widely
generally everybody everyone knows know says say according about who all
kind sort
"""
"""Words that may stand around the pointing ones."""

EMPTY_WORDS = """
[GRAMMATICAL]
or onto upon than when where while
because since if unless though although but was were did had having
shall them their theirs ours yours she him hers his
such also just very too thereof therein hereby something anything someone somebody
among amongst anyone anybody somewhere anywhere whatever whoever wherever
"""
"""Words of grammar. They connect other words and name nothing."""

GRAMMAR = """
word words preposition prepositions pronoun pronouns article articles conjunction conjunctions adverb
auxiliary verb verbs letter letters term phrase syllable grammar blank blanks fill gap missing complete
completes title song film movie book band spell spelled spelling lyric lyrics acronym abbreviation
"""
"""Where the question holds one of these, a word of grammar may be the answer."""
