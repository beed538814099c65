"""Words of a sentence without which a claim says more than the sentence."""

import pytest

from highlighter.grounding.unsaid_words import (
    find_added_only,
    find_unsaid_duty,
    find_unsaid_margin,
    find_unsaid_permission,
    find_unsaid_plan,
    find_unsaid_speaker,
    find_unsaid_status,
)


@pytest.mark.parametrize(
    ("claim", "sentence", "unsaid"),
    [
        ("Revenue in 2025 was €1.9 billion.", "We expect revenue of €1.9 billion in 2025.", "expect"),
        ("The Committee revoked the licence.", "The Committee recommended that the licence be revoked.", "recommended"),
        ("The Company opened ten shops.", "The Company plans to open ten shops.", "plans to"),
        ("Die Kommission entzog die Lizenz an Adler.", "Die Kommission empfahl, die Lizenz an Adler zu entziehen.", "empfahl"),
        ("There is a lead pipe behind the wall.", "We suspect a lead pipe behind the wall.", "suspect"),
        ("Hinter der Wand liegt ein Bleirohr.", "Wir vermuten hinter der Wand ein Bleirohr.", "vermuten"),
        ("The app uses face recognition.", "We are considering face recognition for the app.", "are considering"),
        ("يستعمل التطبيق التعرف على الوجه.", "ندرس إضافة التعرف على الوجه في التطبيق.", "ندرس"),
        ("Der Patient hat eine Lungenentzündung.", "Wir vermuten: Der Patient hat eine Lungenentzündung.", "vermuten"),
        ("La clínica cierra la maternidad.", "Estudiamos lo siguiente: la clínica cierra la maternidad.", "Estudiamos"),
        ("Le chiffre d'affaires augmente de 8 %.", "Nous prévoyons ceci : le chiffre d'affaires augmente de 8 %.", "Nous prévoyons"),
        ("销售额增长8%。", "公司预计如下：销售额增长8%。", "预计"),
        # The claim says so in other words, or the sentence says it of something else.
        ("A lead pipe behind the wall is suspected.", "We suspect a lead pipe behind the wall.", None),
        ("The firm uses drones.", "The firm is exploring the use of drones.", "is exploring"),
        ("Mary is a law student at Leeds.", "Mary is studying law at Leeds.", None),
        ("The club has accounts.", "The auditor is examining the accounts of the club.", None),
        ("The suspect was seen at the station.", "The suspect was seen at the station in May.", None),
        ("No decision was taken on face recognition.", "We are considering face recognition for the app.", None),
        ("Revenue in 2025 will be €1.9 billion.", "We expect revenue of €1.9 billion in 2025.", None),
        ("The Committee proposed revoking the licence.", "The Committee recommended that the licence be revoked.", None),
        ("The Board approved the plan.", "The Board approved the plan that the auditor had recommended.", None),
        ("Sales rose to 40 million.", "Sales rose to 40 million, and are expected to rise to 45 million.", None),
        ("Revenue in 2024 was €1.8 billion.", "We expected revenue of €1.7 billion in 2024; revenue was €1.8 billion.", None),
        ("The Company opened ten shops.", "The Company plans to sell ten shops; it opened them in May.", None),
        ("Profit in 2024 was €9 million.", "Analysts expected a profit of €8 million, but profit in 2024 was €9 million.", None),
        ("Revenue in 2025 was €1.9 billion.", "As expected, revenue in 2025 was €1.9 billion.", None),
        ("Costs in 2025 were €5 million.", "The projects had costs in 2025 of €5 million.", None),
        ("Les pénalités sont de 50 euros par jour.", "Le contrat prévoit des pénalités de 50 euros par jour.", None),
        ("桥墩延误归因于水泥断供。", "桥墩比计划晚了三周，延误归因于水泥断供。", None),
        ("Die Lizenz an Adler wurde erteilt.", "Die beantragte Lizenz an Adler wurde erteilt.", None),
        ("The lease of the harbour shop ended.", "The lease of the harbour shop ended.", None),
        ("A loss of EUR 7 million was recognised.", "A rise in rates would have led to a loss of EUR 7 million.", "would have"),
        ("Un deterioro de 7 millones fue registrado.", "Una subida habría causado un deterioro de 7 millones.", "habría"),
        ("A rise would have led to a loss of EUR 7 million.", "A rise in rates would have led to a loss of EUR 7 million.", None),
    ],
)  # fmt: skip
def test_status_of_a_statement_that_a_claim_leaves_out(claim, sentence, unsaid):
    assert find_unsaid_status(claim, sentence) == unsaid


@pytest.mark.parametrize(
    ("claim", "unsaid"),
    [
        ("Interest is 4 per cent a year.", "above the base rate"),
        ("Interest is 4 per cent above the base rate.", None),
        ("Interest depends on the base rate and a margin of 4 per cent.", None),
        ("Interest is charged.", None),
    ],
)
def test_rate_beside_which_a_figure_stands(claim, unsaid):
    assert find_unsaid_margin(claim, "Interest accrues at 4 per cent a year above the base rate.") == unsaid


@pytest.mark.parametrize(
    ("claim", "sentence", "unsaid"),
    [
        ("Interest is 2.75 per cent.", "Interest is the base rate plus 2.75 per cent.", "rate plus"),
        ("Der Zins beträgt 3 %.", "Der Zins beträgt den Basiszinssatz zuzüglich 3 %.", "Basiszinssatz zuzüglich"),
        ("L'intérêt est de 3 %.", "L'intérêt est égal au taux de base majoré de 3 %.", "taux de base majoré de"),
        ("Interest is the base rate plus 2.75 per cent.", "Interest is the base rate plus 2.75 per cent.", None),
        ("The fee is 5 per cent.", "The fee is 5 per cent; interest is the base rate plus 2.75 per cent.", None),
    ],
)
def test_rate_to_which_a_figure_is_added(claim, sentence, unsaid):
    assert find_unsaid_margin(claim, sentence) == unsaid


@pytest.mark.parametrize(
    ("claim", "sentence", "unsaid"),
    [
        ("The grantee may show the logo.", "The grantee shall show the logo.", "shall"),
        ("Der Mieter darf die Wohnung streichen.", "Der Mieter muss die Wohnung streichen.", "muss"),
        ("Le locataire peut peindre le salon.", "Le locataire doit peindre le salon.", "doit"),
        ("The grantee shall show the logo.", "The grantee shall show the logo.", None),
        ("The grantee may show the logo.", "The grantee may show the logo, and shall show it in colour.", None),
        ("The drug may be taken for five days.", "The drug must not be taken for more than five days.", None),
        ("The tenant may keep a dog.", "The tenant must pay the rent.", None),
    ],
)
def test_duty_that_a_claim_tells_as_a_permission(claim, sentence, unsaid):
    assert find_unsaid_duty(claim, sentence) == unsaid


def test_points_above_another_rate_are_no_rate():
    sentence = "El interés de demora será de tres puntos por encima del interés ordinario."
    assert find_unsaid_margin("El interés de demora es del 3 %.", sentence) == "por encima del interés ordinario"


@pytest.mark.parametrize(
    ("claim", "sentence", "unsaid"),
    [
        ("The museum opened in May 2027.", "The opening of the museum is planned for May 2027.", "planned for"),
        ("The portal went live on 2 May.", "The portal has started; its go-live is planned for 2 May.", "planned for"),
        ("Das Werk Lyon wurde im Juni geschlossen.", "Das Werk Lyon wird während der Ferien im Juni geschlossen.", "wird"),
        ("Las obras fueron terminadas en mayo.", "Las obras serán terminadas mientras llueve en mayo.", "serán"),
        ("La inauguración tuvo lugar en mayo.", "La inauguración está prevista para mayo.", "prevista"),
        ("L'inaugurazione ha avuto luogo a maggio.", "L'inaugurazione è prevista per maggio.", "prevista"),
        ("De gemeente heeft drempels aangelegd.", "Als het verkeer toeneemt, zal de gemeente drempels aanleggen.", "zal"),
        ("Открытие состоялось в мае.", "Открытие запланировано на май.", "запланировано"),
        ("The contract will be sent by Friday.", "Please send the contract by Friday.", "Please"),
        ("The company submitted a report in May.", "The company will submit a report in May.", "will"),
        ("A court decided the case in June.", "A court will decide the case in June.", "will"),
        ("One hundred trees were felled.", "One hundred trees will be felled.", "will"),
        ("Orbis Limited opened a shop in May.", "Orbis Limited will open a shop in May.", "will"),
        ("Those who registered paid a fee.", "Those who register will pay a fee.", "will"),
        ("Le maire a ouvert le parc en mai.", "L'ouverture du parc par le maire est prévue en mai.", "prévue"),
        # The claim says so, too, or the sentence tells a fact.
        ("The fee is refunded if the course was cancelled.", "The fee will be refunded if the course is cancelled.", None),
        ("Those who applied late pay a fee.", "Those who apply late will pay a fee.", None),
        ("The museum opens in May 2027.", "The opening of the museum is planned for May 2027.", None),
        ("The museum will open in May 2027.", "The opening of the museum is planned for May 2027.", None),
        ("De verbouwing is in juni gepland.", "De verbouwing staat gepland voor juni.", None),
        ("The sender asked for the contract.", "Please send the contract by Friday.", None),
        ("Das Kreatinin soll kontrolliert werden.", "Bitte kontrollieren Sie das Kreatinin.", None),
        ("The office will be closed on Friday.", "Please note that the office will be closed on Friday.", None),
        ("The plan was approved.", "The plan was approved and will start in June.", None),
    ],
)  # fmt: skip
def test_plan_or_request_that_a_claim_tells_as_done(claim, sentence, unsaid):
    assert find_unsaid_plan(claim, sentence) == unsaid


@pytest.mark.parametrize(
    ("claim", "sentence", "unsaid"),
    [
        ("The employer extends the period by a month.", "The employer may extend the period by a month.", "may"),
        ("L'acheteur négociera avec les candidats.", "L'acheteur peut négocier avec les candidats.", "peut"),
        ("Il sindaco vieta l'accesso al parco.", "Il sindaco può vietare l'accesso al parco.", "può"),
        ("A direção suspendeu um sócio.", "A direção pode suspender um sócio.", "pode"),
        ("Members bring a guest.", "Members may bring a guest.", "may"),
        ("A member brings a guest.", "A member may bring a guest.", "may"),
        ("Members comment on the draft.", "Members may comment on the draft.", "may"),
        ("The employer is allowed to extend the period.", "The employer may extend the period by a month.", None),
        ("Il comitato ha la facoltà di convocare l'assemblea.", "Il comitato può convocare l'assemblea.", None),
        ("La Entidad debe notificar la cesión.", "La Entidad puede ceder el crédito, pero debe notificárselo.", None),
        ("Two dogs live here.", "Tenants may keep two dogs.", None),
        ("The museum opens for visitors.", "The museum opens in May for visitors.", None),
        ("Your doctor will check your blood pressure.", "Your doctor may want to check your blood pressure.", "may"),
        ("Your doctor wants to check your blood pressure.", "Your doctor wants to check your blood pressure.", None),
    ],
)
def test_permission_that_a_claim_tells_as_a_fact(claim, sentence, unsaid):
    assert find_unsaid_permission(claim, sentence) == unsaid


@pytest.mark.parametrize(
    ("claim", "sentence", "following", "unsaid"),
    [
        ("The buyer owes 4,000 euros.", "The seller says that the buyer owes 4,000 euros.", "The buyer denies this.", "says"),
        ("The buyer owes 4,000 euros.", "The seller alleges that the buyer owes 4,000 euros.", "", "alleges"),
        ("The buyer owes 4,000 euros.", "The seller says that the buyer owes 4,000 euros.", "", None),
        ("According to the seller, the buyer owes 4,000 euros.", "The seller alleges that the buyer owes 4,000 euros.", "", None),
    ],
)  # fmt: skip
def test_speaker_whose_words_a_claim_tells_as_a_fact(claim, sentence, following, unsaid):
    assert find_unsaid_speaker(claim, sentence, [sentence, following]) == unsaid


@pytest.mark.parametrize(
    ("claim", "sentence", "added"),
    [
        ("Nur wer vorsätzlich handelt, haftet.", "Wer vorsätzlich oder fahrlässig handelt, haftet.", "Nur"),
        ("Only members may use the pool.", "Members and guests may use the pool.", "Only"),
        ("Only residents are admitted.", "Nobody but residents is admitted.", None),
        ("Possono votare soltanto i soci.", "Solo i soci possono votare.", None),
        ("Only 22 streams were analysed.", "We analysed 22 streams.", None),
        # In other words, the sentence may say "only" in a way of its own.
        (
            "Before Silva, only two women had managed a team here.",
            "Silva is the third woman in charge of a team.",
            None,
        ),
        ("這條鐵路初期只用來運木材。", "該鐵路初期專供運材。", None),
    ],
)
def test_only_that_a_claim_adds(claim, sentence, added):
    assert find_added_only(claim, sentence) == added
