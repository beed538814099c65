import pytest

from highlighter.answering.decomposition.decomposer import decompose_by_rules

SINGLE_QUESTIONS = """\
Wann ist die Feier, und was kostet sie?
Was passiert, wenn jemand zu spät kommt?
Welche Rechte und Pflichten hat der Mieter?
Quelle est la personne qui signe et qui paie ?
Quel est le prix et comment est-il payé ?
¿Qué es y para qué sirve el contador?
Wer darf den Saal mieten und zu welchem Preis?
Wer darf den Saal mieten und zu welchem Preis pro Person?
Wer darf den Saal mieten und zu welchem günstigsten Preis?
Qui peut louer la salle et à quel prix total ?
Zu welchem Preis und wann darf man den Saal mieten?
Wann findet die Feier statt und was kostet das?
Wann findet die Feier statt und was kostet das für Kinder?
Wer ist der Vermieter und wo liegt deren Sitz?
Qui peut louer la salle et à quel prix ?
Qui peut louer la salle et pendant combien de temps ?
¿Quién puede alquilar la sala y por cuánto tiempo?
Chi può affittare la sala e per quanto tempo?
Quem pode alugar a sala e por quanto tempo?
Wie mag de zaal huren en voor hoe lang?
Wat kost de kaart en waar kan ik hem kopen?
介護休業は何日まで、それはいつ取れますか？""".splitlines()

COMPOUND_QUESTIONS = {
    "Wie oft werden Warnanlagen geprüft und wie lange sind die Berichte aufzubewahren?": (
        "Wie oft werden Warnanlagen geprüft?",
        "Wie lange sind die Berichte aufzubewahren?",
    ),
    "Wann beginnt der Kurs und wie hoch ist die monatliche Miete?": (
        "Wann beginnt der Kurs?",
        "Wie hoch ist die monatliche Miete?",
    ),
    "Qual é o preço do curso e qual é a multa?": ("Qual é o preço do curso?", "Qual é a multa?"),
    "Was muss ich tun, wenn ich krank bin, und bis wann wird gezahlt?": (
        "Was muss ich tun, wenn ich krank bin?",
        "Bis wann wird gezahlt?",
    ),
    "Combien pèse le prix et quelles sont les pénalités de retard ?": (
        "Combien pèse le prix ?",
        "Quelles sont les pénalités de retard ?",
    ),
    "¿Quién paga la notaría y quién paga la tasación?": ("¿Quién paga la notaría?", "¿Quién paga la tasación?"),
    "Dove si trovano i server e per quanto tempo conservate gli ordini?": (
        "Dove si trovano i server?",
        "Per quanto tempo conservate gli ordini?",
    ),
    "Qual é o preço do curso e quando começa o curso?": ("Qual é o preço do curso?", "Quando começa o curso?"),
    "Wanneer is de ouderavond en wat kost de strippenkaart?": (
        "Wanneer is de ouderavond?",
        "Wat kost de strippenkaart?",
    ),
    "介護休業は何日まで取れて、介護休暇は年に何日ですか？": (
        "介護休業は何日まで取れて？",
        "介護休暇は年に何日ですか？",
    ),
    "Wann muss die Mieterin zahlen? Wer trägt die Reparaturen am Dach?": (
        "Wann muss die Mieterin zahlen?",
        "Wer trägt die Reparaturen am Dach?",
    ),
}


@pytest.mark.parametrize("question", SINGLE_QUESTIONS)
def test_question_that_needs_its_other_half_is_not_split(question):
    assert decompose_by_rules(question) == (question,)


@pytest.mark.parametrize(("question", "parts"), COMPOUND_QUESTIONS.items())
def test_compound_question_is_split_where_second_question_begins(question, parts):
    assert decompose_by_rules(question) == parts
