"""The words of the works contract. The port, firms and persons are invented."""

from __future__ import annotations

TITLE = "Harbour Works Contract"
SUBTITLE = "Repair of the East Mole and a new pilot berth at Skerry Point"

PARTIES = [
    (
        "This contract is made on 3 February 2025 between the Skerry Point Harbour Trust, called the Client, and Tarn "
        "and Holloway Marine Limited, called the Contractor."
    ),
    (
        "The Client wishes the East Mole to be repaired and a berth to be built for the pilot boats. The Contractor has "
        "visited the site, has read the survey of 2024, and has offered to do the works for the prices in Schedule 1."
    ),
]

CLAUSES = [
    (
        "1 Meaning of words",
        [
            "1.1 The works are everything that the Contractor has to provide under this contract, temporary works included.",
            (
                "1.2 The Engineer is Ms Ingrid Solberg of Solberg Coastal Engineers, or another person whom the Client names "
                "in writing. The Engineer acts for the Client but decides questions of time and price impartially."
            ),
            (
                "1.3 Completion is the moment at which pilot boats can use the berth by day and by night and no known defect "
                "stands in their way. A working day is a day other than a Sunday or a public holiday in Skerry Point."
            ),
            (
                "1.4 A notice has effect when it reaches the address that the receiver last gave. A message in a chat "
                "program is not a notice."
            ),
        ],
    ),
    (
        "2 What the Contractor does",
        [
            (
                "2.1 The Contractor repairs 212 metres of the East Mole, replaces the armour stone on its seaward face, and "
                "builds the pilot berth with its fenders, ladders and lights, all as shown on the drawings."
            ),
            (
                "2.2 The Contractor designs the temporary works and shows the design to the Engineer at least three weeks "
                "before they are begun. The Engineer may refuse a design only if it would endanger people, harm the mole, "
                "or prevent the harbour from working. A refusal states its reasons."
            ),
            (
                "2.3 Armour stone is granite from a quarry that the Engineer has accepted. No stone lighter than 2.5 tonnes "
                "is placed on the seaward face. Each load is weighed at the quay, and the weighbridge tickets are handed to "
                "the Engineer every Friday."
            ),
            (
                "2.4 Concrete for the berth reaches a strength of 45 newtons per square millimetre after 28 days. Three "
                "cubes are taken from every pour and tested by a laboratory that is independent of both parties."
            ),
            (
                "2.5 The Contractor keeps one person on the site who can speak for it at all times. That person is Mr Callum "
                "Reyes until the Contractor proposes, and the Engineer accepts, somebody with like experience."
            ),
        ],
    ),
    (
        "3 Site, sea and neighbours",
        [
            (
                "3.1 The Client gives the Contractor the landward half of the East Mole from 17 March 2025 and the rest from "
                "14 April 2025. The fish quay stays open throughout, and a lane four metres wide is kept free for its "
                "lorries."
            ),
            (
                "3.2 The Contractor stops work on the seaward face when the significant wave height at the harbour buoy is "
                "above 1.8 metres, and may start again when it has been below 1.5 metres for two hours. Time lost in this "
                "way beyond eleven days in any calendar month is a matter for which the Completion Date is moved."
            ),
            (
                "3.3 Vessels have the right of way. The harbour master may order floating plant to leave the fairway at any "
                "time, and the Contractor obeys within twenty minutes. The first hour of each such interruption is included "
                "in the prices; what lasts longer is paid at the hourly rates."
            ),
            (
                "3.4 No percussive piling is done between sunset and sunrise during the seal pupping season, which for this "
                "contract runs from 1 September to 30 November. A trained observer watches the water for thirty minutes "
                "before piling starts and has the power to stop it."
            ),
            (
                "3.5 Noise at the nearest dwelling is kept below 65 decibels by day and 50 decibels by night. The Contractor "
                "tells the residents of Mole Street of any night work at least five days ahead by a letter to each door."
            ),
        ],
    ),
    (
        "4 People and safety",
        [
            (
                "4.1 Everybody on the site wears a life jacket within three metres of the edge and on all floating plant. A "
                "rescue boat with two crew is ready whenever people work over the water."
            ),
            (
                "4.2 The Contractor appoints a safety adviser who is on the site at least three days a week. The adviser "
                "reports to a director of the Contractor and not to the person in charge of the works."
            ),
            (
                "4.3 No diver enters the water alone, at night, or while plant is moving within thirty metres. Diving is "
                "planned around slack water, and the diving supervisor may cancel a dive without giving a reason."
            ),
            (
                "4.4 An accident that keeps a person from work for more than a day is reported to the Engineer within four "
                "hours. The place is left as it was until the Engineer has seen it, unless leaving it would put others in "
                "danger."
            ),
            (
                "4.5 A crane is not used for lifting people. Loads are not carried over the fish quay while it is open, and "
                "lifting stops when gusts reach 14 metres per second at the jib."
            ),
        ],
    ),
    (
        "5 Subcontractors and records",
        [
            (
                "5.1 The Contractor may have parts of the works done by others but answers for them as for itself. The name "
                "of each subcontractor is given to the Engineer two weeks before it starts, and the Engineer may refuse it "
                "for want of skill, insurance or a good record of safety."
            ),
            (
                "5.2 Not more than forty per cent of the works, by price, is subcontracted. Diving is never subcontracted "
                "a second time."
            ),
            (
                "5.3 The Contractor pays its subcontractors within thirty days of their invoices. On request it shows the "
                "Engineer that it has done so."
            ),
            (
                "5.4 The Contractor keeps a site diary in which the weather, the tides, the people and plant at work, and the "
                "stones placed are written down each evening. Both parties may read it and copy it at any reasonable time."
            ),
            (
                "5.5 Within four weeks of Completion the Contractor hands over drawings of the works as they were built, on "
                "paper and as files that can be edited. The last payment is not due before it has done so."
            ),
        ],
    ),
    (
        "6 Time",
        [
            "6.1 The Completion Date is 28 November 2025, unless it has been moved under this contract.",
            (
                "6.2 Within two weeks of the date of this contract the Contractor gives the Engineer a programme that shows "
                "the order of the works, the tides on which they depend, and the time kept in hand for weather. The "
                "programme is revised every month. If the Contractor does not give a first programme, a quarter of each "
                "payment is kept back until it does."
            ),
            (
                "6.3 Early warning. The Contractor and the Engineer warn each other as soon as either knows of something "
                "that could raise the price, delay Completion, or make the berth work less well. An early warning is given "
                "within two working days of the matter becoming known, even where its effect cannot yet be measured. The "
                "people concerned then meet, look for a way to avoid or reduce the effect, and write down who is to do what. "
                "If the Contractor knew of a matter and gave no warning, the Engineer assesses its effect as though the "
                "warning had been given and acted upon."
            ),
            (
                "6.4 For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200. "
                "Delay damages stop at ten per cent of the total of the prices. They are the only money that the Contractor "
                "pays for being late."
            ),
            (
                "6.5 The Engineer may order the Contractor to stop or not to start any part of the works. If the order did "
                "not arise from a fault of the Contractor, its effect on time and price is a compensation event."
            ),
        ],
    ),
    (
        "7 Compensation events",
        [
            (
                "7.1 These are compensation events: an instruction that changes the works; a part of the site given late; "
                "an object of historical interest found on the sea bed; unexploded ordnance; and physical conditions below "
                "the water which an experienced contractor would have judged so unlikely that it would have been "
                "unreasonable to allow for them."
            ),
            (
                "7.2 The Contractor notifies a compensation event within six weeks of becoming aware of it. If it does not, "
                "neither the prices nor the Completion Date are changed, unless the event arose from an instruction of the "
                "Engineer."
            ),
            (
                "7.3 A quotation for a compensation event shows the change in cost with a fee of eight per cent, and the "
                "change in the programme. The Engineer replies within two weeks. If the Engineer is silent for two weeks "
                "after a reminder, the quotation counts as accepted."
            ),
            (
                "7.4 The effect is judged from what was known on the day when the event was notified. A quotation once "
                "accepted is not opened again because events turned out otherwise."
            ),
        ],
    ),
    (
        "8 Payment",
        [
            (
                "8.1 The Engineer assesses the amount due on the last working day of each month and certifies it within "
                "one week. The Client pays within three weeks of the assessment, and interest on late payment runs at four "
                "per cent a year above the base rate."
            ),
            (
                "8.2 Five per cent of each payment is retained. Half of the retention is released at Completion and the "
                "other half when the last defect listed in the defects certificate has been put right."
            ),
            (
                "8.3 Plant and stone stored outside the site are paid for only if they are marked as the Client's property "
                "and insured in the Client's name."
            ),
        ],
    ),
    (
        "9 Risk, insurance and taking over",
        [
            (
                "9.1 Until a part of the works is taken over the Contractor carries the risk of loss of or damage to it, "
                "including damage by waves, and makes the damage good at its own cost. The Client carries the risk of war, "
                "of a vessel striking the mole while under the orders of a pilot of the Client, and of a wave height that "
                "occurs on average less often than once in fifty years."
            ),
            (
                "9.2 The Contractor insures the works for their full value, and insures against injury to people and damage "
                "to other property for at least £10 million for any one event. The certificates are shown to the Engineer "
                "before anybody starts work on the site."
            ),
            (
                "9.3 The Client takes over the berth within two weeks of Completion, or earlier if pilot boats use it. From "
                "then on the Client lights it and keeps it."
            ),
            (
                "9.4 Defects notified within 52 weeks of Completion are put right by the Contractor without charge. A defect "
                "that endangers navigation is made safe within twenty-four hours; if it is not, the Client may have the work "
                "done by others and recover the cost."
            ),
        ],
    ),
    (
        "10 Disputes and ending",
        [
            (
                "10.1 A party that disagrees with a decision of the Engineer notifies the other party. Senior people of both "
                "parties, who have not worked on the site, meet within ten days and try to settle the matter."
            ),
            (
                "10.2 If they do not settle it, either party may refer the dispute to the Adjudicator, Dr Amara Nwosu. A "
                "dispute that is not referred within four weeks of the notice can no longer be referred to the Adjudicator "
                "or to the tribunal. The Adjudicator decides within six weeks, and the decision binds the parties unless and "
                "until the tribunal revises it."
            ),
            "10.3 The tribunal is arbitration in Bergen by one arbitrator, held in English.",
            (
                "10.4 The Client may end the contract if the Contractor abandons the works for more than twenty-one days, "
                "becomes insolvent, or again breaks a rule on safety after a written warning. The Contractor may end it if "
                "an amount certified has not been paid within nine weeks."
            ),
            (
                "10.5 After an ending the Contractor leaves the mole safe against the sea, hands over the drawings, and is "
                "paid for what was done. Nothing in this clause takes away a right that had arisen before."
            ),
        ],
    ),
]

SCHEDULE = [
    ("Part of the works", "Price", "Finished by"),
    ("Survey and clearing of the sea bed", "£84,000", "11 April 2025"),
    ("Toe trench and bedding layer", "£391,500", "30 May 2025"),
    ("Armour stone, 9,400 tonnes", "£1,128,000", "22 August 2025"),
    ("Crown wall, repair and recasting", "£276,300", "12 September 2025"),
    ("Pilot berth with fenders and ladders", "£648,900", "31 October 2025"),
    ("Lights, cables and testing", "£97,250", "21 November 2025"),
    ("Total of the prices", "£2,625,950", ""),
]

# Where these words may be broken at the end of a line: a narrow column needs it, and a reader of the file must undo it.
HYPHENATED = (
    "Con-trac-tor com-pen-sa-tion Com-ple-tion Ad-ju-di-ca-tor En-gi-neer in-sur-ance tem-po-rary pro-gramme "
    "ex-pe-ri-ence quo-ta-tion in-struc-tion as-sess-es as-sess-ment cer-tif-i-cate cer-tif-i-cates laboratory "
    "in-de-pen-dent im-par-tial-ly nav-i-ga-tion un-rea-son-able in-ter-rup-tion sig-nif-i-cant weigh-bridge "
    "prop-er-ty ar-bi-tra-tion his-tor-i-cal con-di-tions ob-serv-er res-i-dents per-cus-sive dam-ages re-ten-tion"
)
