"""One HTML page about a run: a headline, figures with intervals, and a browser of its rows.

In: the rows of a `grade` run while they stream past, or the cases of an `agree` run with a second look at its files.
Out: a page that needs no network. `rows` says what the page shows of a row, `contradictions` who contradicts whom about
it, `cut` shortens texts, `sample` keeps as many rows as fit, `encode` and `embed` write them as data. `charts` and
`lines` draw, `grade_page` and `agree_page` say what, and `page` joins all with the assets: style, scripts, and KaTeX.

KaTeX in the page, not MathML made here: a formula takes Python about a millisecond and ten times its bytes, on every
row; in the page it costs 270 KB once, and only the row that is open is rendered.

Entry points: `RunReport`, `agreement_page`.
"""

from hybridverify.report.agree_page import agreement_page as agreement_page
from hybridverify.report.run_report import RunReport as RunReport
