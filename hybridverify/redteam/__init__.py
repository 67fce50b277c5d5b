"""An adversary for any verifier or reward: how much can be earned without knowing an answer?

In: a verifier and labelled questions. Out: for each family of questions the strategy that earns most, its rate on
questions that it was not chosen on, and how far that lies above an honest guess (the exploit rate).

`questions` sorts questions into families and halves. `blind` is an attacker's view of a question. A strategy
(`strategy`) takes candidates (`sources`, `formulas`), writes them in another way (`dresses`) and puts them into words
(`wording`). `named` lists well-known strategies, `search` breeds others. `trial` asks the verifier and tells luck
from exploit. `informed` has responses by somebody who knows the answer, and `shapes` combines them with references of
every shape. `run` goes through all steps, `report` holds the results. `rewards` calls users' reward functions.
`generated` makes questions for users without a file.

Entry points: `attack`, `Report`, `Question`, `crossed_with_shapes`. The command is `hybridverify redteam`.
"""

from hybridverify.redteam.questions import Question as Question
from hybridverify.redteam.report import Report as Report
from hybridverify.redteam.run import attack as attack
from hybridverify.redteam.shapes import crossed_with_shapes as crossed_with_shapes
