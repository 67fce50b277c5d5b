"""An adversary for any verifier or reward: how much can be earned without knowing an answer?

In: a verifier and labelled questions. Out: for each family of questions the strategy that earns most, its rate on
questions that it was not chosen on, and how far that lies above an honest guess (the exploit rate).

`questions` sorts questions into families and halves; `blind` is what an attacker sees of one. A strategy (`strategy`)
is candidates (`sources`, `formulas`), said in some way (`dresses`) and worded (`wording`); `named` lists those that
everybody tries, `search` breeds others. `trial` asks the verifier and tells luck from exploit. `informed` has responses
by somebody who knows the answer; `shapes` crosses them with references of every shape. `run` is the way through all of
it, `report` what comes out. `rewards` calls users' reward functions, `generated` makes questions for
those who have no file.

Entry points: `attack`, `Report`, `Question`, `crossed_with_shapes`; `hybridverify redteam` is their command.
"""

from hybridverify.redteam.questions import Question as Question
from hybridverify.redteam.report import Report as Report
from hybridverify.redteam.run import attack as attack
from hybridverify.redteam.shapes import crossed_with_shapes as crossed_with_shapes
