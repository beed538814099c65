"""The words of the condition report. The port, firms and persons are invented."""

from __future__ import annotations

TITLE = "Breakwater condition report 2024"
BYLINE = "Solberg Coastal Engineers for the Skerry Point Harbour Trust, 18 October 2024"

FOOTNOTE = (
    "1 Wave heights in this report are significant heights, that is, the mean of the highest third of the waves "
    "in half an hour. Single waves can be almost twice as high."
)
FOOTNOTE_PAGE = 2

SECTIONS = [
    (1, "Summary"),
    (
        0,
        (
            "The East Mole has protected the harbour of Skerry Point since 1911. We surveyed it between May and September "
            "2024, above and below the water, to find out how much longer it can do so and what should be done first."
        ),
    ),
    (
        0,
        (
            "The mole is in no danger of falling, but its seaward face has lost a tenth of its stones and the crown wall has "
            "begun to lean. We advise the Trust to renew the armour in 2025 and to repair the wall in the same season, "
            "because the same crane can serve both. If nothing is done for five more years, the cost of repair is expected "
            "to rise from £2.6 million to about £4.1 million."
        ),
    ),
    (1, "1 How the survey was done"),
    (2, "1.1 Above the water"),
    (
        0,
        (
            "A drone photographed both faces at low water on three calm mornings. The pictures were joined into a model of "
            "the surface that is true to about 15 millimetres, and every stone was numbered, so that the next survey can "
            "tell which of them have moved. Two surveyors then walked the whole length and tapped the crown wall with a "
            "hammer at each metre, listening for hollow places."
        ),
    ),
    (2, "1.2 Below the water"),
    (
        0,
        (
            "A survey boat with a multibeam echo sounder mapped the sea bed to a distance of 120 metres from the toe. Divers "
            "looked at the eleven places where the map showed a step or a hole. Visibility was poor on two of the six "
            "diving days, and the stretch between metres 140 and 155 was felt by hand rather than seen."
        ),
    ),
    (2, "1.3 What was not done"),
    (
        0,
        (
            "We drilled no cores. The inside of the mole is therefore known only from the drawings of 1908 and from one "
            "photograph of the building works. We have no reason to doubt the drawings, but they do not show the drain "
            "described in section 2.2."
        ),
    ),
    (1, "2 What was found"),
    (2, "2.1 The armour"),
    (
        0,
        (
            "The seaward face was rebuilt with granite blocks in 1987. Of the 1,460 stones counted in 2014, 171 are missing "
            "and a further 96 have turned or slid by more than half their own width. Most of the losses lie between metres "
            "60 and 130, where the sea bed drops away and the waves break directly on the slope.[1]"
        ),
    ),
    (
        0,
        (
            "The storm of 29 January 2024 was the worst in the record, with a significant wave height of 5.6 metres at the "
            "harbour buoy. The harbour master's log notes that the ground shook in the pilot house and that stones were "
            "heard rolling for some hours. About half of the losses since 2014 seem to date from that one night."
        ),
    ),
    (
        0,
        (
            "The stones that remain are sound. Laboratory tests on six pieces gave a density of 2.67 tonnes per cubic metre "
            "and a loss of less than one per cent in the salt test. They can be lifted, sorted and used again, which would "
            "save the quarrying of roughly 3,000 tonnes."
        ),
    ),
    (2, "2.2 The crown wall"),
    (
        0,
        (
            "Over a length of 34 metres the wall has settled by up to 85 millimetres and leans seaward by one degree. The "
            "settlement was caused by fine sand washing out from under the wall through an old drain, not by the weight of "
            "the wall itself. The drain is of fired clay, 225 millimetres wide, and opens at half-tide level behind a "
            "missing stone. It appears on no drawing."
        ),
    ),
    (
        0,
        (
            "Elsewhere the concrete is better than its age would suggest. Chlorides have reached the reinforcement only at "
            "the two expansion joints that were opened for cables in 1996. There the cover has spalled, and bars of 16 "
            "millimetres have lost up to a third of their section."
        ),
    ),
    (2, "2.3 The toe and the sea bed"),
    (
        0,
        (
            "A trench up to 1.4 metres deep has been scoured along the toe between metres 70 and 115. It does not yet reach "
            "under the bedding layer. Comparison with the chart of 2006 shows that it deepens by six or seven centimetres "
            "a year, faster after winters with many storms from the north-east."
        ),
    ),
    (1, "3 What it means"),
    (2, "3.1 Safety now"),
    (
        0,
        (
            "The mole may be used as before by vessels lying on its harbour side. The footpath should stay closed to the "
            "public whenever waves of more than 2 metres are forecast. Spray and small stones were thrown over the wall on "
            "nineteen days last winter, and the handrail at the light is loose."
        ),
    ),
    (2, "3.2 The years ahead"),
    (
        0,
        (
            "Damage of this kind does not grow evenly. Each missing stone leaves its neighbours with less support, and a gap "
            "of more than four stones tends to widen in every storm that follows. We have compared three courses: to do "
            "nothing, to fill the gaps, and to renew the whole face. Filling the gaps is cheapest at first but would have "
            "to be repeated after about eight years, with a new crane and a new closure of the fish quay each time."
        ),
    ),
    (1, "4 What we advise"),
    (
        0,
        (
            "First, close the old drain before the winter, with a grouted plug from the harbour side; this can be done by "
            "the Trust's own staff in four tides. Second, fill the trench and renew the armour between April and September "
            "2025, using the sound stones again in the lower layer. Third, underpin and straighten the crown wall from the "
            "crane that is then on the site. Fourth, repeat the drone survey each May."
        ),
    ),
    (
        0,
        (
            "The pilot boats now lie at the fish quay, where they are in the way. If the Trust wishes to build them a berth of "
            "their own, the shelter behind metres 150 to 190 is the best place, and it would be economical to build it "
            "under the same contract."
        ),
    ),
]
