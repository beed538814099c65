import pytest

from highlighter.answering.prompt_messages import PromptBuilder
from highlighter.answering.prompt_templates import BUILT_IN_PROMPTS
from highlighter.answering.refusals import (
    MAX_REFUSAL_CHARACTERS,
    REFUSAL,
    REFUSALS_BY_LANGUAGE,
    adds_to_refusal,
    choose_refusal,
    fill_refusal,
    is_refusal,
)

REFUSALS = """\
The sources do not answer this question.
The sources do not answer this question
**The sources do not answer this question.**
I'm sorry, but the provided documents do not mention the notice period.
Unfortunately, the context does not contain any information about penalties.
I cannot answer this question based on the provided sources.
I can't answer that from the sources given.
I don't know.
I do not have enough information to answer this question.
There is no information about the deposit in the documents.
There is no mention of parking in the provided text.
No relevant information was found.
No relevant sources found.
The answer is not found in the documents.
Not found in the sources.
This information is not available in the provided context.
The question cannot be answered from the given sources.
Based on the provided context, I am unable to determine the deadline.
The provided documents do not specify a deadline. They only cover ferry timetables.
The documents do not state who pays. Please consult the contract itself.
None of the sources mention this.
Neither of the documents addresses this question.
It is not possible to answer this question from the sources.
The sources are silent on this.
Insufficient information.
Sorry, I couldn't find anything about that in the sources.
I was unable to find an answer.
I found nothing about that in the documents.
The text doesn't say.
The documents you provided do not contain the answer.
As an AI language model, I cannot help with that.
The sources don't mention helicopters [Ferry, p.1].
There isn't enough information in the sources to answer.
The available sources do not directly address whether pets are allowed.
Nothing in the sources answers this question.
It is not stated in the documents.
資料來源沒有回答這個問題。
资料来源没有回答这个问题。
抱歉，提供的文件中沒有提及停車費。
很抱歉，我无法根据提供的资料回答这个问题。
所提供的來源並未說明違約金的計算方法。
没有找到相关信息。
找不到相關資料。
我不知道。
文档中未提及此内容。
根据提供的上下文，无法确定租金是多少。
資料不足，無法回答。
该问题无法从现有资料中得到回答。
文件未提供有关押金的信息。
對不起，來源中沒有任何關於直升機的內容。
这些来源没有包含关于退款的信息。它们只讨论渡轮时间表。
无法回答该问题。
上述資料均未提及保險。请咨询专业人士。
Sorry. The provided context does not mention that. If you have more documents, please share them.
I'm sorry, but I can't find any information regarding helicopters in the provided sources.
The source texts do not contain any details on this topic.
The answer to this question is not in the sources.
Regrettably, none of the passages discuss this.
The information provided is insufficient to answer.
根据所提供的资料，没有找到关于直升机的信息。
我无法在提供的来源中找到答案。
這個問題在文件中沒有找到答案。
文件並無提及有關直升機的資料。
根據現有文件，無法得知渡輪船長的姓名。
提供的資料未有提及。
很遗憾，我没有足够的信息来回答这个问题。
None of the provided documents contain information about this topic.
We are unable to determine that from the documents.
The documents make no mention of this.
Not mentioned.
"The sources do not answer this question." [Note]""".splitlines()

ANSWERS = """\
If the goods are not found within 30 days, the carrier pays for them [A, p.2].
The item was not found in the inventory [A].
The ferry leaves at seven [A, p.1].
No. The contract does not allow subletting [Lease, p.3].
The contract does not contain a termination clause [A, p.1].
The tenant cannot find a replacement without consent [A].
There is no evidence that the drug causes harm [B].
The sources do not state the amount. However, they say that it is due within 14 days [A, p.2].
The sources do not state the amount, but they say that it is due within 14 days [A, p.2].
No information may be disclosed to third parties without consent [NDA, p.4].
No evidence was given by the claimant at the hearing, so the appeal failed [Case, p.2].
Documents not provided within ten days are deemed waived [A].
You cannot find parking on Sundays [A].
The documents provided by the seller do not include a warranty; the buyer therefore bears the risk [A, p.3].
It is not possible to cancel after the first day [A].
Insufficient funds lead to termination [A].
The information is confidential and must not be given to anyone [A].
Unknown persons may not enter [A].
文件未提供者，視為放棄 [合約, 第3頁]。
資料不得提供予第三方 [合約, 第3頁]。
承包商不能在星期日施工 [A]。
如文件未提供，雇主可終止合約 [A]。
租客不得養寵物 [租約, 第2頁]。
没有许可的人不能进入 [A]。
資料來源沒有說明金額，但說明付款期為14天 [A, 第2頁]。
文件没有提到罚款。不过，第三条规定付款期限为14天 [A]。
The sources do not mention cars. The ferry carries sixty passengers [Note, p.1].
The text message was sent on Monday [A].
You cannot provide false statements to the insurer [A].
We cannot confirm bookings after 5 pm [Terms].
I have no information on cars, but bicycles travel for four pounds [Note].
The question is not whether he paid but when [A].
不能向第三方提供個人資料 [A]。
資料不能向第三方提供 [A]。
找不到租客時，業主可終止合約 [A]。
不能确定损失金额时，由专家评估 [A]。
信息不足的申请将被拒绝 [A]。
Nothing in this document shall limit liability for death [A, p.9].
The information is not available to the public [A].
The documents do not have to be signed [A].
The documents do not permit subletting [Lease, p.3].
The evidence does not reveal any wrongdoing [A].
None of the documents shall be copied [A].
Unfortunately, the ferry was late [A].
Yes.
42
No.
没有。
不可以 [A]。
A cancelled ticket is refunded within three days [note, p.1].""".splitlines()


# Statements after the standard refusal, in the next sentence or in the same one.
ADDITIONS = """\
The sources do not answer this question. However, rent is 900 euros.
The sources do not answer this question. Rent is 900 euros.
The sources do not answer this question. You can stop paying rent.
The sources do not answer this question. Please pay 900 euros to the landlord.
The sources do not answer this question. I would say that the rent is low.
The sources do not answer this question. More details: the rent is 900 euros.
The sources do not answer this question. They mention that the rent is due monthly.
The sources do not answer this question. Please consult the contract, which allows subletting at 900 euros.
The sources do not answer this question. If you stay longer, you should pay twice.
The sources do not answer this question; the rent is 900 euros.
The sources do not answer this question: rent is 900 euros.
The sources do not answer this question (the rent is 900 euros).
The sources do not answer this question and the rent is 900 euros.
The sources do not answer this question, but the tenant must leave by Friday.
The sources do not answer this question – the rent is 900 euros.
資料來源沒有回答這個問題。不過，租金為900歐元。
資料來源沒有回答這個問題。建議您立即停止付租。
資料來源沒有回答這個問題。請付900歐元。
資料來源沒有回答這個問題，租金為900歐元。
资料来源没有回答这个问题；租客必须搬走。""".splitlines()


@pytest.mark.parametrize("text", ADDITIONS)
def test_statement_after_refusal_makes_it_an_answer(text):
    assert not is_refusal(text)
    assert adds_to_refusal(text)


@pytest.mark.parametrize(
    "text", ["The sources do not state the rent, which is 900 euros.", "I don't know. It is 900 euros."]
)
def test_statement_after_refusal_in_other_words_makes_it_an_answer(text):
    assert not is_refusal(text)


OWN_REFUSAL = "Leider weiß ich das nicht. Fragen Sie $uns!"


def test_own_refusal_is_recognised_and_chosen():
    assert is_refusal(OWN_REFUSAL, OWN_REFUSAL)
    assert is_refusal(f"**{OWN_REFUSAL}**", OWN_REFUSAL)
    assert is_refusal(REFUSAL, OWN_REFUSAL)
    assert not is_refusal(OWN_REFUSAL)
    assert not is_refusal(f"{OWN_REFUSAL} Die Miete beträgt 900 Euro.", OWN_REFUSAL)
    assert adds_to_refusal(f"{OWN_REFUSAL} Die Miete beträgt 900 Euro.", OWN_REFUSAL)
    assert not adds_to_refusal(OWN_REFUSAL, OWN_REFUSAL)
    assert choose_refusal("租金是多少？", OWN_REFUSAL) == OWN_REFUSAL
    assert choose_refusal("Wie hoch ist die Miete?") == REFUSAL
    assert choose_refusal("這裡的租金與費用是多少？") == REFUSALS_BY_LANGUAGE["zh-Hant"]


def test_prompts_ask_for_own_refusal():
    prompts = PromptBuilder(fill_refusal(BUILT_IN_PROMPTS, OWN_REFUSAL))
    system, *_ = prompts.build_answer_messages("Who pays?", [])
    assert OWN_REFUSAL in system.text
    assert REFUSAL not in system.text
    assert OWN_REFUSAL in prompts.build_correction_messages([], "A draft.", ["A reason."])[-1].text
    assert prompts.version != PromptBuilder().version


def test_refusal_in_prompt_is_recognised():
    assert REFUSAL in PromptBuilder().fill_template("rules", refusal=REFUSAL)
    assert all(is_refusal(phrase) for phrase in REFUSALS_BY_LANGUAGE.values())
    assert all(
        is_refusal(variant)
        for variant in (f"**{REFUSAL}**", f'"{REFUSAL}" [Note]', f"- {REFUSAL.upper()}", REFUSAL[:-1])
    )


@pytest.mark.parametrize("text", REFUSALS)
def test_refusal_in_other_words_is_recognised(text):
    assert is_refusal(text)


@pytest.mark.parametrize("text", ANSWERS)
def test_answer_about_missing_things_is_no_refusal(text):
    assert not is_refusal(text)
    assert not adds_to_refusal(text)


def test_empty_text_is_a_refusal():
    assert is_refusal("")
    assert is_refusal(" \n")


def test_refusal_followed_by_answer_is_no_refusal():
    assert not is_refusal(f"{REFUSAL} The ferry leaves at seven [Note, p.1].")
    assert not is_refusal(REFUSAL + " The ferry carries sixty passengers and no cars." * (MAX_REFUSAL_CHARACTERS // 40))
