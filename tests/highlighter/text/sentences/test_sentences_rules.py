"""Rules of sentence splitting beyond the golden ones: each case lists the sentences of its joined text."""

from __future__ import annotations

import pytest

from highlighter.text.sentences import split_sentences

TITLES_AND_NAMES = [
    ["Dr. Patel saw Mrs. Okafor on Friday.", "Prof. Lindqvist was away."],
    ["The novel by J. R. R. Hartley sold well.", "K. Brandt reviewed it."],
    ["J.-P. Moreau wrote it.", "Her work with K.-H. Brandt came later."],
    ["Messrs. Dunn and Price appeared for the claimant."],
    ["Jerry Weimer, Ex. Vice President, signs for the company.", "Exec. Dir. Moss does, too."],
    ["Gen. Sir R. A. Holt took command.", "Lt. Col. Frost retired."],
    ["Martin Shaw Jr. was elected.", "His father, Martin Shaw Sr., was not."],
    ["He holds a Ph.D. in geology.", "She has an M.D. and an M.Sc."],
    ["They met in St. Albans.", "The road to Ft. Worth was closed."],
]
ABBREVIATIONS = [
    ["Bring tools, e.g. a hammer, i.e. what you own.", "Nails etc. are provided."],
    ["We sell pens, paper, etc.", "Delivery is free."],
    ["The method of Ito et al. is older.", "Later work (cf. Sato et al. 2011) agrees."],
    ["The shop opens at 9 a.m. and closes at 5 p.m.", "On Sundays it is shut."],
    ["We meet at 3 p.m. Thursday in the hall."],
    ["The firm Acme Ltd. was sold to Borg Inc. in May.", "It had no debts."],
    ["He works for Norton Ltd.", "Sarah Bell founded it in 1980."],
    ["It is approx. 5 km from here.", "The max. load is 2 t."],
    ["Group 1 received 17 mg.", "Group 2 received 22 µg.", "Patients weighed 70 kg.", "Adults took 5 mg. daily."],
    ["The meeting is on Jan. 5 at 10.30.", "It ended in Dec.", "The next is in spring."],
    ["The U.K. Parliament sat late.", "She moved to the U.K.", "He stayed behind."],
    [
        "It is shown in APPENDIX C.",
        "Thereafter, the Contractor stores it.",
        "Notwithstanding this, John C. Thereaux may see it.",
    ],
    ["He was employed by P. & C. Construction Co. & Sons.", "It is closed."],
    ["Washington, D.C. is humid.", "So is the U.S. Gulf coast."],
    ["See Minnesota Stat. Sec. 80C, Subd. 1 and N.Y. Gen. Bus. Law 687.", "He took the Bus.", "The other walked."],
    ["Hank Fisher Properties, Inc. - The Chateau closes.", "Siehe Abb. 3 und Bem. 15."],
    ["Sei P konvex, d. h. ∂P ist rund.", "Dann gilt Def. 4."],
    ["They agree on the following:", "A. The seller delivers all goods in May.", "B. The buyer pays them in June."],
    ["The authors are: A. Smith, B. Jones and C. Brown.", "The rest is by others."],
    ["The fee includes support of [...***...] FTEs for [...***...] months.", "It is due [...***...] BII says when."],
    ["See N.D. Cent. Code 51 and Gen. Stat. Chapter 7 on fees.", "They cost 50 Cent.", "The rest is free."],
    ["The answer is no.", "Peter asked twice."],
    ["Apply to the Dept. of Health, Rm. 12, Elm St. before noon."],
    [
        "It follows F. Gunes, On silicon, Sol. Energy Mater. Sol. Cells 94 (2010) 381.",
        "See also G. Yang, Appl. Phys. 3 (2001) 5.",
    ],
    ["Codes are ‘***’ 0.01 ‘.’ 0.1 and ‘ ’ 1.", "The rest is plain."],
    ["It is set to the width of the mark (default: “??”).", "It can be issued later."],
    ["We looked at the Sun.", "Nature 12 (2010) 3 did, too."],
    ["She was born ca. 1850 and d. 1901.", "Her house, No. 12, still stands."],
    ["Data lie in /home or /srv.", "Mounting them takes a moment.", "Run it with -p.", "Printing starts."],
    ["It is the same as P'*M.", "Products take longer."],
    ["See Chapt. 5 and Ref. 12.", "Row 1 . . 2 . 3 is sparse.", "So is model(. ~ x of it.", "It has no sum ."],
    [". model a is here.", "So is b."],
    [
        "It is passed to text().",
        "add.scale.bar draws a bar.",
        "One bar is drawn from several starting points.",
        "sum() is simple.",
    ],
    ["The approx. some.value is used, e.g. read.csv and others."],
    ["Andere Seiten, beispielsw. amazon.com oder einschließl. github.com sind es nicht."],
    ['The site "Yahoo!" yahoo.com opened.', "It is the parameter.", "sum() reads it (too.)", "read.csv is next."],
    [
        "3a. If you answered the third question with yes, say how many months of training are required\t3b. Say in which field it was."
    ],
    ["We use a file manager. ⁷", "The next one is smaller.", "The rest is in /var. [17]"],
    ["The columns are Min. 1st Qu. Median Mean 3rd Qu. Max. in this order.", "Last is 'log Lik.' -82.5 by itself."],
    ["It follows P. Young, J. Phys. C 5, 1629 (1972).", "See also Inference, 115(2). doi:10. 1016/S0378-3758."],
    ["Its terms are a1! · a2! = 6.", "What is broken? . . . . 59"],
    ["It is read by Job.Satisfaction or so.", "He moved to Berlin."],
    [
        "Names have letters, signs (-) and periods (.).",
        "Anything else is refused [...].",
        "Numbers are not (!) allowed.",
    ],
]
LEGAL = [
    ["See Art. 5(2) and Sec. 12.3 of the Act.", "Cl. 61.3 does not apply."],
    ["In Harrow v. Brent Council the court said no.", "See also Ex p. Marsh."],
    ["Under clause 4.2.1 the Contractor pays.", "Clause 4.2.2 is void."],
    ["4.2.1 The Contractor shall give notice.", "4.2.2 The Client shall reply within 14 days."],
    ["4.2.1. The Contractor shall give notice.", "The Client may reply."],
    ["Article 9. The parties agree as follows.", "Nothing else is agreed."],
    ["Pursuant to § 12 Abs. 2 no fee is due.", "See pp. 10-12, para. 4 and n. 3."],
    ["The Supplier shall (a) give notice, (b) pay and (c) leave.", "It shall not sue."],
    ["The price is fixed under Reg. 14(1)(b).", "It was $4.5m. in 2019.", "VAT (20 %) is extra."],
    ["Schedule 2. Payment is due in 30 days."],
    ["The buyer pays the price\u037e the seller delivers.", "Nothing else is agreed."],
    ["The bond (see Sched. 3, Pt. II) expires on 1.7.2024.", "A new one is needed."],
]
NUMBERS = [
    ["The water was 0.60 m and 0.75 m.", "Runs were made at both."],
    ["The area is 25 m².", "It holds 10⁶.", "The water is H₂O.", "Then σ(z) = λ²z.", "Nothing else is known."],
    ["In 2011 M. Dupont measured 5 t.", "Others found 6."],
    ["The rate rose 3.5 per cent. to 1,250.75 units.", "It fell to 0.5."],
    ["Version 2.0.1 fixes it.", "Open config.yaml or main.py.", "Then restart."],
    ["The train leaves at 7.45.", "It costs £12.50.", "Ring 020.7946.0018."],
    ["The site lies at 51.5074° N, 0.1278° W.", "It is open."],
    ["He was born in 1984.", "She came in 1990."],
    ["Write to info@example.org.", "See www.example.org/a.b?c=1.2 or ftp://files.example.org.", "Thank you."],
]
MARKS = [
    ["What?!", "You did that?", "No way!!!"],
    ["Wait...", "What was that?"],
    ["He paused … and went on.", "Then he left…", "Nobody saw him."],
    ["“Is it late?” Anna asked.", "“Very,” he said.", "“Let us go.”"],
    ["'Come here!' she shouted.", "He came."],
    ['He wrote "urgent."', "Nobody read it."],
    ["(This is a note.)", "It stands alone."],
    ["The result (see Fig. 2. for details) is clear.", "It holds."],
    ['He calls it "a slow death." (Marlow 55).', "Few agree."],
    ["They left.", "(We stayed)."],
    ["Results are shown in Table. 1.", "It is evident that they hold."],
    ["The energy is given by E = mc2. (4)"],
    ["It rose sharply.[12]", "Then it fell.[3]", "Nobody knows why."],
    ["It rose sharply.[1,2]", "Then it fell.[3–5]", "It stood.[6, 8]", "The price fell.[*]", "Nobody knows why."],
    ["Is it done? yes, it is.", "Good."],
    ["She said: “Stop. Wait for me.”", "He did not."],
    ["The term “Works” means the works.", "The term ‘Site’ means the site."],
    ["«Où vas-tu ?» demanda-t-il.", "Elle partit."],
]
LISTS = [
    ["1. Open the valve.", "2. Close the lid.", "3. Call the engineer."],
    ["Do this:", "1) Open the valve", "2) Close the lid", "3) Call the engineer"],
    ["• Open the valve", "• Close the lid"],
    ["i. Scope of works", "ii. Programme", "iii. Payment"],
    ["D.5. Design tests are as agreed.", "D.6. The responsibilities of the parties are joint.", "They end in May."],
    ["Payment is due on day 1.",
     "The rest follows on day 2.", "Late payment bears interest."],
]  # fmt: skip
OTHER_SCRIPTS = [
    [
        "Der Vertrag wurde am 3. Oktober geschlossen.",
        "Er gilt seit dem 19. Jahrhundert, d. h. lange.",
        "Vgl. S. 12 ff.",
    ],
    ["Nach § 5 Abs. 2 Nr. 3 ist z.B. nichts fällig.", "Siehe Bd. 4."],
    ["Die Miete i. S. d. § 556 BGB ist gem. § 5 fällig, i. V. m. § 9.", "§ 6 bleibt unberührt."],
    ["Sie beginnt am 1. 7. 2025 und endet am 31. 12. 2026.", "Vom 1. 7. bis zum 30. 9. ruht sie.", "Die Zahlung ruht."],
    [
        "Es war am 1. 7.",
        "Die Frist lief ab.",
        "Die Wohnung liegt in der Bahnhofstr. 12 in Köln.",
        "Sie liegt im 3. Stock.",
    ],
    ["De huur begint op 1. 7. 2025 en eindigt dan.", "Le bail commence le 1. 7. 2025.", "Il dure trois ans."],
    ["Leien begynner 1. juli 2025.", "Den varer ett år.", "Lejen begynder den 1. 7. 2025.", "Den varer et år."],
    ["He came in chapter 1.", "7 men left."],
    ["M. Martin et Mme Leroy sont là.", "Ils arrivent à 10 h.", "Où est-elle ?", "Voir p. ex. l'art. 3."],
    ["El Sr. Ruiz vive en la Avda. Mayor, núm. 5.", "¿Viene hoy?", "¡Sí!"],
    ["Presente el Mod. 303 en enero.", "No hay otro mod.", "Es todo."],
    ["Il sig. Bianchi abita a pag. 3.", "Perché no?"],
    ["В 2019 г. завод закрыли.", "Директор А. С. Петров уехал в г. Тверь.", "Почему?"],
    ["ما هو الحل؟", "لا أعرف.", "شكرا!"],
    ["آیا این درست است؟", "بله."],
    ["वह आया।", "फिर गया।"],
    ["Πού είναι ο σταθμός;", "Είναι εκεί."],
    ["Πού είναι ο σταθμός\u037e", "Είναι εκεί."],
    ["Որտե՞ղ է նա։", "Տանը։"],
]
UNSPACED = [
    ["合約第5條適用。", "承建商須於7日內通知；", "逾期無效！", "為甚麼？"],
    ["他说：“走吧。”", "大家都走了。", "（完）"],
    ["彼は「はい。そうです。」と言った。", "私は帰った。"],
    ["价格为3.5元。", "请看第2.1节。", "谢谢!", "再见。"],
    ["公司（以下简称“甲方”。）负责。", "乙方不负责。"],
    ["ဒါကဘာလဲ။", "စာအုပ်ပါ။"],
]
SPACED = TITLES_AND_NAMES + ABBREVIATIONS + LEGAL + NUMBERS + MARKS + LISTS + OTHER_SCRIPTS


@pytest.mark.parametrize("sentences", SPACED, ids=lambda sentences: sentences[0][:40])
def test_sentences_joined_by_spaces_are_split_again(sentences):
    assert [span.text for span in split_sentences(" ".join(sentences))] == sentences


@pytest.mark.parametrize("sentences", UNSPACED, ids=lambda sentences: sentences[0][:40])
def test_sentences_of_scripts_without_spaces_are_split_again(sentences):
    assert [span.text for span in split_sentences("".join(sentences))] == sentences


@pytest.mark.parametrize("sentences", [*SPACED, *UNSPACED], ids=lambda sentences: sentences[0][:40])
def test_sentences_in_separate_paragraphs_stay_whole(sentences):
    assert [span.text for span in split_sentences("\n\n".join(sentences))] == sentences
