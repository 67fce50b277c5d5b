"""Words that name a number besides those that are read (language/number_words.py). Data only, for content_floor.py.

A text with one of them may say what digits say, so the judge is asked. A missing word costs right answers; a
superfluous one only lets a judge be asked.
"""

from __future__ import annotations

WORDS = """
nil nought naught oh ones dozens score gross
last once twice thrice single singleton
only sole solely unique uniquely alone both pair pairs couple double triple twin treble quadruple solo duo trio
quartet unit unity pi tau phi infinity infinite googol noon midnight
spring
all every each everyone any none no nobody nothing never not without
null nul ein eine elf halb halbe halfte beide paar dutzend
un une demi moitie aucun aucune rien
uno una medio media mitad ninguno ninguna nada
due mezzo meta nessuno nessuna niente
um duas meio metade nenhum nenhuma
een twee drie vijf zes zeven negen tien twaalf geen niets
en ett to tva fem seks sex sju syv atta otte nio ni tio ti elva elleve tolv noll halv ingen inget
yksi kaksi viisi kuusi kymmenen nolla puoli ei
jeden jedna dwa dwie trzy cztery piec szesc osiem zaden brak nic zadny dva dve tri ctyri sest sedm osm devet deset
egy ketto harom negy ot hat het nyolc kilenc tiz nulla fel semmi
unu doi doua patru cinci sase sapte opt noua zece nimic
bir iki uc dort bes alti yedi sekiz dokuz on sifir yarim yok
satu dua tiga empat lima enam tujuh delapan sembilan sepuluh nol setengah tidak
mot hai ba bon nam sau bay tam chin muoi khong nua nusu
i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx l c d m
одна одно две нуль нет ничего оба пара половина
صفر واحد واحدة اثنان اثنين ثلاث ثلاثة اربع اربعة خمس خمسة ست ستة سبع سبعة ثمان ثماني تسع تسعة عشر عشرة مئة مائة الف
نصف ثلث ربع خمسي ضعف مثلي زوج كل لا ليس بلا دون بدون كلا اول ثاني ثالث
"""
"""Whole words, without case and accents."""

STEMS = """
hundert tausend dreiz vierz funfz sechz siebz achtz neunz zwanzig dreisig dreissig sieben
cent mille
veint mil
honderd duizend twintig dertig veertig vijftig zestig zeventig tachtig negentig
hundra hundre hundrede tusen tusind tjugo trettio fyrtio femtio fyra fjorton tjue tyve tretti fire
kolme nelja seitseman kahdeksan yhdeksan kymmenta sata tuhat
siedem dziewi dziesi scie tysia dvacet tricet ctyricet padesat tisic
husz harminc negyven otven szaz ezer zece suta mie yirmi otuz kirk elli altmis yetmis seksen doksan yuz
belas puluh ratus ribu juta tram nghin trieu
четыр десят девят надцат двадцат тридцат сорок сто двест трист тысяч миллион половин перв втор трет четверт
صفر واحد احد اثن ثلاث اربع خمس ست سبع ثمان تسع عشر مئ مائ الف الاف مليون مليار نصف ثلث ربع ضعف ليس بدون مرت
"""
"""Beginnings and middles of compounds and inflected forms. Only words of five letters and more are searched for them.
"""

COMMON = """
on to i may en un et em mi bon hat ti ni d c m l v x score last all every each any no not never without only
hai nam mot due fire
"""
"""Those of these words that are common in sentences. In a text of more than `FEW` words they name no number."""

FEW = 3
CHINESE = frozenset("零〇一二三四五六七八九十百千万萬亿億半两兩双雙無无没沒几幾")
SCRIPTS = ("LATIN", "CYRILLIC", "CJK", "ARABIC LETTER")
"""Scripts whose number words stand above. A text in another script is left to the judge."""
