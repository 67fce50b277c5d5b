"""Short facts with their answers, and which answers can be options of one question."""

from __future__ import annotations

from typing import Final

_KINDS: Final = {
    "place": (
        ("Which city is the capital of Norway?", "Oslo"),
        ("Which city is the capital of Kenya?", "Nairobi"),
        ("Which city is the capital of Peru?", "Lima"),
        ("Which city is the capital of Vietnam?", "Hanoi"),
        ("In which city does the Little Mermaid sit by the harbour?", "Copenhagen"),
        ("Which city is split between Europe and Asia by the Bosporus?", "Istanbul"),
        ("Which city is the seat of the Belgian government?", "Brussels"),
        ("In which city was the composer Mozart born?", "Salzburg"),
    ),
    "country": (
        ("Which country has the city of Timbuktu?", "Mali"),
        ("Which country is the largest by area?", "Russia"),
        ("Which country borders Portugal on land?", "Spain"),
        ("In which country does the Amazon reach the sea?", "Brazil"),
        ("Which country gave the Statue of Liberty to the United States?", "France"),
        ("Which country has Mount Fuji?", "Japan"),
    ),
    "person": (
        ("Who wrote The Origin of Species?", "Charles Darwin"),
        ("Who painted The Starry Night?", "Vincent van Gogh"),
        ("Who proposed the general theory of relativity?", "Albert Einstein"),
        ("Who wrote the play Hamlet?", "William Shakespeare"),
        ("Who discovered radium together with her husband?", "Marie Curie"),
        ("Who composed the opera Fidelio?", "Ludwig van Beethoven"),
        ("Who led the first voyage round the world until he was killed on the way?", "Ferdinand Magellan"),
        ("Who invented movable-type printing in Europe?", "Johannes Gutenberg"),
    ),
    "substance": (
        ("Which gas do plants take from the air for photosynthesis?", "carbon dioxide"),
        ("Which metal is liquid at room temperature?", "mercury"),
        ("Which gas is most of the air?", "nitrogen"),
        ("Which element has the symbol Fe?", "iron"),
        ("Which mineral is the hardest?", "diamond"),
    ),
    "animal": (
        ("Which animal is the largest that ever lived?", "the blue whale"),
        ("Which land animal runs fastest?", "the cheetah"),
        ("Which bird lays the largest eggs?", "the ostrich"),
        ("Which insects make honey?", "bees"),
    ),
    "": (
        ("What do we call the process by which a caterpillar becomes a butterfly?", "metamorphosis"),
        ("Why does ice float on water?", "because it is less dense than water"),
        ("What is measured with a barometer?", "air pressure"),
        ("Is the Moon larger than the Earth?", "no"),
        ("Is copper a good conductor of electricity?", "yes"),
        ("When did the Berlin Wall fall?", "9 November 1989"),
        ("In which year did people first walk on the Moon?", "1969"),
        ("Which two countries share the island of Hispaniola?", "Haiti and the Dominican Republic"),
        ("What causes the tides?", "the gravity of the Moon and the Sun"),
        ("Which organ pumps the blood?", "the heart"),
        ("Which language has the most native speakers?", "Mandarin Chinese"),
        ("What is the longest side of a right triangle called?", "the hypotenuse"),
        (
            "What is the name of the line that divides the northern from the southern half of the Earth?",
            "the equator",
        ),
    ),
}
FACTS: Final = tuple(fact for facts in _KINDS.values() for fact in facts)
SEVERAL: Final = (
    ("Which vitamin does the skin make in sunlight?", ("D", "vitamin D")),
    ("Which blood group can be given to everybody?", ("O", "O negative", "O-")),
    ("Which note follows F in the scale of C major?", ("G", "sol")),
    ("Which city is the capital of the United States?", ("Washington", "Washington, D.C.", "D.C.")),
    ("Who wrote Tom Sawyer?", ("Mark Twain", "Samuel Clemens")),
    ("In which year did the First World War end?", ("1918", "11 November 1918")),
)
"""Facts with several references, any of which is right."""
RIVALS: Final = {answer: kind for kind, facts in _KINDS.items() if kind for _, answer in facts}
"""Answer → its kind, where several answers of the kind can be options of one question."""
