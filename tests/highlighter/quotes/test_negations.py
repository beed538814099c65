"""A quote with another negation, restriction or number is no match, in every language that the table knows."""

from __future__ import annotations

import pytest

from highlighter.quotes.matcher import find_closest_match, match_quote
from highlighter.quotes.restrictions import find_restriction_beside

# A sentence, words of it, and what a false quote has in their place.
ALTERED = [
    ("es", "El arrendatario no podrá subarrendar nunca la vivienda sin el consentimiento escrito del propietario.", "nunca ", ""),
    ("es", "El cliente pagará la factura en un plazo de treinta días desde la recepción del aviso correspondiente.", "treinta", "sesenta"),
    ("es", "El depósito se devolverá solo después de la entrega de las llaves al propietario de la vivienda.", "solo ", ""),
    ("de", "Der Mieter darf nur mit schriftlicher Zustimmung des Vermieters einen Hund in der Wohnung halten.", "nur ", ""),
    ("de", "Der Auftraggeber zahlt die Rechnung innerhalb von dreißig Tagen nach dem Eingang bei der Gesellschaft.", "dreißig", "sechzig"),
    ("de", "Der Vertrag kann niemals ohne Einhaltung der Frist durch den Auftragnehmer gekündigt werden.", "niemals ", ""),
    ("fr", "Le locataire ne peut jamais sous-louer le logement à un tiers pendant la durée du bail.", "jamais ", ""),
    ("fr", "Le client règle la facture dans un délai de trente jours à compter de la réception de l'avis.", "trente", "quarante"),
    ("fr", "Le dépôt est rendu uniquement après la remise des clés au propriétaire du logement.", "uniquement ", ""),
    ("fr", "Le bailleur n'est tenu de rembourser aucune dépense engagée par le locataire dans le logement.", "n'est", "est"),
    ("it", "Il conduttore non può mai sublocare l'appartamento a terzi durante la durata del contratto.", "non ", ""),
    ("it", "Il cliente paga la fattura entro trenta giorni dalla ricezione dell'avviso della società.", "trenta", "sessanta"),
    ("pt", "O inquilino não pode sublocar o imóvel a terceiros durante a vigência do presente contrato.", "não ", ""),
    ("pt", "O cliente paga a fatura no prazo de trinta dias a contar da receção do respetivo aviso.", "trinta", "sessenta"),
    ("pt", "A caução é devolvida somente depois da entrega das chaves ao proprietário do imóvel.", "somente ", ""),
    ("nl", "De huurder mag de woning nooit zonder schriftelijke toestemming van de verhuurder onderverhuren.", "nooit ", ""),
    ("ru", "Арендатор не вправе передавать помещение третьим лицам в течение срока действия договора.", "не ", ""),
    ("ru", "Заказчик оплачивает счёт в течение тридцати дней после получения уведомления от подрядчика.", "тридцати", "шестидесяти"),
    ("ru", "Залог возвращается только после передачи ключей собственнику жилого помещения.", "только ", ""),
    ("ru", "Договор аренды помещения признан судом первой инстанции недействительным полностью.", "недействительным", "действительным"),
    ("pl", "Najemca nie może podnajmować mieszkania osobom trzecim w okresie obowiązywania umowy.", "nie ", ""),
    ("pl", "Kaucja jest zwracana tylko w dniu przekazania kluczy właścicielowi lokalu mieszkalnego.", "tylko ", ""),
    ("tr", "Kiracı, kiraya verenin yazılı izni olmadan daireyi üçüncü kişilere devredemez.", "devredemez", "devredebilir"),
    ("tr", "Depozito, anahtarların teslim tarihinden itibaren kiracıya geri ödenmez.", "ödenmez", "ödenir"),
    ("tr", "Bu sözleşme noter tarafından onaylanmadığı sürece taraflar için geçerli değildir.", " değildir", ""),
    ("ar", "لا يجوز للمستأجر أن يؤجر الشقة من الباطن دون موافقة خطية من المالك.", "لا ", ""),
    ("ar", "يجب على المقاول ألا يعمل ليلا بالقرب من الميناء خلال مدة العقد.", "ألا", "أن"),
    ("ar", "يدفع العميل قيمة الفاتورة خلال ٣٠ يوما من تاريخ استلام الإشعار.", "٣٠", "٦٠"),
    ("fa", "مستأجر نمی‌تواند بدون اجازه کتبی مالک آپارتمان را به شخص دیگری اجاره دهد.", "نمی‌تواند", "می‌تواند"),
    ("he", "השוכר לא יהיה רשאי להשכיר את הדירה לצד שלישי במהלך תקופת ההסכם.", "לא ", ""),
    ("hi", "किरायेदार मकान मालिक की लिखित अनुमति के बिना मकान किसी और को किराये पर नहीं देगा।", "नहीं ", ""),
    ("hi", "ठेकेदार केवल सरकारी अधिकारी की लिखित अनुमति से बंदरगाह के पास काम करेगा।", "केवल ", ""),
    ("ja", "賃借人は、賃貸人の書面による承諾なしに、本物件を第三者に転貸することができない。", "できない", "できる"),
    ("ja", "賃借人は、契約期間中に本物件の用途を変更してはならず、善良に管理しません。", "しません", "します"),
    ("ja", "敷金は、賃借人が鍵を賃貸人に返却した場合にのみ、全額が返還される。", "のみ", ""),
    ("ko", "임차인은 임대인의 서면 동의 없이 본 주택을 제삼자에게 전대할 수 없다.", "수 없다", "수 있다"),
    ("ko", "임차인은 계약 기간 중에 본 주택의 용도를 변경하지 않는다고 약속한다.", "변경하지 않는다고", "변경한다고"),
    ("vi", "Bên thuê không được cho bên thứ ba thuê lại căn hộ trong thời hạn của hợp đồng này.", "không ", ""),
    ("vi", "Tiền đặt cọc chỉ được hoàn trả vào ngày bàn giao chìa khóa cho chủ sở hữu căn hộ.", "chỉ ", ""),
    ("id", "Penyewa tidak boleh menyewakan kembali apartemen kepada pihak ketiga selama masa perjanjian.", "tidak ", ""),
    ("id", "Uang jaminan hanya dikembalikan pada hari penyerahan kunci kepada pemilik apartemen.", "hanya ", ""),
    ("zh-Hant", "押金僅可在租客將鎖匙交回業主之日起計的指定期限內退還給租客本人。", "僅", ""),
    ("zh-Hans", "承租人不得在租赁期限内将房屋转租给任何第三方或者改变房屋的用途。", "不得", "可以"),
    ("en", "The deposit is returned to the tenant solely upon delivery of the keys to the owner.", "solely ", ""),
]  # fmt: skip


@pytest.mark.parametrize(("language", "sentence", "words", "others"), ALTERED)
def test_altered_negation_restriction_or_number_is_a_near_miss_that_names_it(language, sentence, words, others):
    assert words in sentence
    for text, quote in ((sentence, sentence.replace(words, others)), (sentence.replace(words, others), sentence)):
        near_miss = find_closest_match(text, quote)
        assert near_miss is not None, language
        assert (near_miss.tier, bool(near_miss.why)) == ("none", True)
        assert near_miss.reason in ("number", "negation", "words", "omission")


@pytest.mark.parametrize(("language", "sentence", "words", "others"), ALTERED)
def test_typing_error_elsewhere_is_still_a_match(language, sentence, words, others):
    assert match_quote(f"§ {sentence} §", sentence).tier == "exact"
    if language in ("ja", "ko", "zh-Hant", "zh-Hans"):
        return
    longest = max((word for word in sentence.split() if word not in words), key=len)
    damaged = sentence.replace(longest, longest[:3] + longest[4:])
    assert match_quote(f"§ {sentence} §", damaged).tier == "fuzzy"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("承租人不得在租赁期限内将房屋转租给任何第三方。", "得在租赁期限内将房屋转租给任何第三方"),
        ("本合同未经双方书面同意变更。出租人没有义务退还押金。", "有义务退还押金"),
        ("承租人並未將鎖匙交回業主。", "將鎖匙交回業主"),
        ("يلتزم الطرفان بالعقد. لا يجوز للمستأجر أن يؤجر الشقة من الباطن.", "يجوز للمستأجر أن يؤجر الشقة من الباطن"),
        ("The lease begins in May. No tenant may sublet the flat to a third party.", "tenant may sublet the flat to a third party"),
        ("Before use.\nDo not take the tablets if you are allergic to penicillins.", "take the tablets if you are allergic to penicillins"),
        ("Vertrag\nKein Mieter darf einen Hund in der Wohnung halten.", "Mieter darf einen Hund in der Wohnung halten"),
        ("Der Vermieter zahlt dem Mieter die Kosten der Reparatur nicht.", "Der Vermieter zahlt dem Mieter die Kosten der Reparatur"),
        ("賃借人は、本物件を第三者に転貸することができない。", "本物件を第三者に転貸することができ"),
        ("임차인은 본 주택을 제삼자에게 전대할 수 없다.", "본 주택을 제삼자에게 전대할 수"),
        ("Bu sözleşme imzalayan taraflar için geçerli değildir.", "Bu sözleşme imzalayan taraflar için geçerli"),
    ],
)  # fmt: skip
def test_quote_cut_beside_a_negation_leaves_it_out(text, quote):
    near_miss = find_closest_match(text, quote)
    assert (near_miss.tier, near_miss.reason) == ("none", "omission")


@pytest.mark.parametrize(
    ("text", "quote", "around", "left_out"),
    [
        ("You may drive unless you feel dizzy.", "You may drive", "", "unless you feel dizzy"),
        ("Women should take it only if needed.", "Women should take it", "", "only if needed"),
        ("Dogs are allowed (except in the bar).", "Dogs are allowed", "", "except in the bar"),
        ("The Contractor may not assign the contract.", "assign the contract", "", "may not"),
        ("Only the landlord may end the lease.", "the landlord may end the lease", "", "Only"),
        ("If the Buyer agrees, the Seller pays the fee.", "the Seller pays the fee", "", "If the Buyer agrees"),
        ("Der Mieter darf nicht untervermieten an Dritte.", "untervermieten an Dritte", "", "nicht"),
        ("Hunde sind erlaubt, außer im Garten.", "Hunde sind erlaubt", "", "außer im Garten"),
        ("Le Client ne peut pas céder le contrat.", "céder le contrat", "", "pas"),
        ("El cliente puede rescindir, salvo en verano.", "El cliente puede rescindir", "", "salvo en verano"),
        ("未经甲方同意，乙方不得转包，但子公司除外。", "未经甲方同意，乙方不得转包", "", "但子公司除外"),
        ("乙方不得将服务转包给第三方。", "将服务转包给第三方", "", "不得"),
        ("Cancel to get a full refund, less a fee of £5.", "Cancel to get a full refund", "", "less a fee of £5"),
        ("Sie erhalten den Preis zurück, abzüglich einer Gebühr.", "Sie erhalten den Preis zurück", "", "abzüglich einer Gebühr"),
        ("Le prix est remboursé, déduction faite des frais.", "Le prix est remboursé", "", "déduction faite des frais"),
        ("Il museo è aperto, ad eccezione del lunedì.", "Il museo è aperto", "", "ad eccezione del lunedì"),
        ("Il cliente può recedere, ma paga una penale.", "Il cliente può recedere", "", "ma paga una penale"),
        ("O museu abre todos os dias, com exceção da segunda-feira.", "O museu abre todos os dias", "", "com exceção da segunda-feira"),
        ("O cliente pode rescindir, mas paga uma taxa.", "O cliente pode rescindir", "", "mas paga uma taxa"),
        ("Honden zijn welkom, met uitzondering van het terras.", "Honden zijn welkom", "", "met uitzondering van het terras"),
        ("De huurder mag opzeggen, maar betaalt een boete.", "De huurder mag opzeggen", "", "maar betaalt een boete"),
        ("Музей открыт ежедневно, за исключением понедельника.", "Музей открыт ежедневно", "", "за исключением понедельника"),
        ("Арендатор вправе уйти, но платит штраф.", "Арендатор вправе уйти", "", "но платит штраф"),
        ("تُغلق الأبواب عند الحادية عشرة مساء، ما عدا ليلة الجمعة.", "تُغلق الأبواب عند الحادية عشرة مساء", "", "ما عدا ليلة الجمعة"),
        ("ניתן לקבל החזר מלא, בניכוי דמי ביטול של 50 שקלים.", "ניתן לקבל החזר מלא", "", "בניכוי דמי ביטול של 50 שקלים"),
        ("درها ساعت یازده بسته می شود، به جز شب جمعه.", "درها ساعت یازده بسته می شود", "", "به جز شب جمعه"),
        ("केंद्र प्रतिदिन खुला रहता है, बशर्ते बिजली हो।", "केंद्र प्रतिदिन खुला रहता है", "", "बशर्ते बिजली हो"),
        ("रविवार को छोड़कर केंद्र खुला रहता है।", "केंद्र खुला रहता है", "", "रविवार को छोड़कर"),
        ("주말을 제외하고 주차는 무료입니다.", "주차는 무료입니다", "", "주말을 제외하고"),
        ("日曜日を除き、窓口は九時に開く。", "窓口は九時に開く", "", "日曜日を除き"),
        # The words around the quote, where it is quoted, say so themselves:
        ("The Contractor may not assign the contract.", "assign the contract", "The Contractor must not", ""),
        ("You may drive unless you feel dizzy.", "You may drive", "Except if dizzy,", ""),
        # Another sentence, another thing, or another item of the same list:
        ("The Seller pays in May. If it rains, tea is served.", "The Seller pays in May", "", ""),
        ("The ferry leaves at seven, not at eight.", "The ferry leaves at seven", "", ""),
        ("Payment is made without the consent of the Client.", "the consent of the Client", "", ""),
        ("He not only paid the rent but also the fee.", "paid the rent", "", ""),
        ("Stop if you feel dizzy, if you are sick.", "Stop if you feel dizzy", "", ""),
        ("The price, excluding VAT, is 90 euros.", "is 90 euros", "", ""),
        # "But" restricts what is granted, and where its clause has a restriction; else it adds something:
        ("You may drive, but rest after an hour.", "You may drive", "", "but rest after an hour"),
        ("The tank is full, but only on one side.", "The tank is full", "", "but only on one side"),
        ("Der Saal ist frei, aber nicht am Montag.", "Der Saal ist frei", "", "aber nicht am Montag"),
        ("I found him honest, but I prefer the other evidence.", "I found him honest", "", "but I prefer the other evidence"),
        ("I costi salgono, ma salgono anche i ricavi.", "I costi salgono", "", ""),
        ("Затраты выросли, но и доходы выросли.", "Затраты выросли", "", ""),
        ("We not only paid but also thanked them.", "only paid", "We not", ""),
        ("Costs rose in 2023, but income rose too.", "Costs rose in 2023", "", ""),
        ("Die Kosten stiegen, aber die Einnahmen stiegen auch.", "Die Kosten stiegen", "", ""),
        ("成本上升了百分之五，但收入也上升了。", "成本上升了百分之五", "", ""),
        # Words that are also others, or of other languages:
        ("Die Mieter zogen aus, als der Vertrag endete.", "Die Mieter zogen aus", "", ""),
        ("The inn sells beer, ale and stout.", "The inn sells beer", "", ""),
        ("Ten minus three is seven.", "Ten", "", ""),
        ("La huésped ama el mar.", "La huésped", "", ""),
        ("Foi absolvido o réu, caso notável da época.", "Foi absolvido o réu", "", ""),
        ("It was more or less a riot.", "It was more or", "", ""),
        ("O depósito é devolvido, caso o cliente pague.", "O depósito é devolvido", "", "caso o cliente pague"),
    ],
)  # fmt: skip
def test_restriction_right_beside_quote_is_named(text, quote, around, left_out):
    start = text.index(quote)
    assert find_restriction_beside(text, start, start + len(quote), around) == left_out


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The Contractor may not assign the contract without the consent of the Client.", "assign the contract without the consent"),
        ("承租人不得在租赁期限内将房屋转租给任何第三方。", "在租赁期限内将房屋转租给任何第三方"),
        ("Is the deposit returned? No. The tenant may sublet the flat to others.", "The tenant may sublet the flat to others"),
        ("他說不。租客可以在合約期內飼養狗隻。", "租客可以在合約期內飼養狗隻"),
    ],
)  # fmt: skip
def test_quote_cut_between_words_is_a_match(text, quote):
    assert match_quote(text, quote).tier == "exact"


def test_quote_whose_context_has_the_negation_is_a_match():
    text = "承租人不得在租赁期限内将房屋转租给任何第三方。"
    assert match_quote(text, "得在租赁期限内将房屋转租", prefix="承租人不", suffix="给任何第三方。").tier == "exact"


def test_complete_occurrence_is_preferred_to_one_that_is_cut():
    text = "租客不可在單位內飼養狗隻或其他動物。業主可在單位內飼養狗隻或其他動物。"
    match = match_quote(text, "可在單位內飼養狗隻或其他動物")
    assert (match.tier, match.start, match.other_spans) == ("exact", text.rindex("可在"), ())
