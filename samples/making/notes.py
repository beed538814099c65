"""The two plain-text samples: an English note with hard line ends, and a Simplified Chinese one without."""

from __future__ import annotations

from pathlib import Path

SAFETY_NAME = "Laboratory Safety Note.txt"
CANTEEN_NAME = "员工食堂管理办法.txt"

SAFETY = """\
LABORATORY SAFETY NOTE

Materials laboratory, Skerry Point. Issued 6 May 2025 by Tomasz Wilk,
safety officer. Read it before you work here for the first time.


1. BEFORE YOU START

Nobody works alone in the laboratory after 18:00. Sign the book at the
door when you arrive and when you leave, so that the fire brigade knows
how many people are inside.

Wear a coat, closed shoes and safety glasses from the door onwards.
Contact lenses are not a substitute for glasses. Gloves come off before
you touch a telephone, a keyboard or a door handle.


2. ACIDS AND SOLVENTS

Hydrochloric acid for the salt test is kept in the yellow cabinet under
the fume hood. Always add acid to water, never water to acid. No more
than one litre of any solvent may stand on a bench at one time.

If acid gets on your skin:

- rinse it with cold water for at least fifteen minutes;
- take off wet clothing while you rinse;
- call the first-aider on extension 4410.

If acid gets into an eye, use the eye-wash bottle at once and keep
rinsing until the ambulance arrives.


3. THE COMPRESSION PRESS

The press crushes concrete cubes with up to 3,000 kilonewtons. The guard
must be closed before the pump is switched on. Only people who have
passed the training of 2 hours with Ms Aiko Brandt may use it. A cube
that has not broken at the expected load is left under pressure and
reported; it is never struck or pulled out by hand.


4. FIRE AND ALARM

The alarm is a rising tone. Leave by the nearest door, do not use the
lift, and meet at the flagpole on the fish quay. The alarm is tested on
the first Monday of each month at 11:00; on that occasion you may stay.

Burning solvent is put out with the carbon dioxide extinguisher (black
label). Water makes it spread.


5. WASTE

Broken glass goes into the blue bin and nowhere else. Used acid is
collected in the marked cans, which are fetched every second Thursday.
Nothing except clean water is poured down the sink.
"""

SAFETY_QUESTIONS = [
    ("May I work alone in the lab in the evening?", "Nobody works alone in the laboratory after 18:00."),
    (
        "Who may use the press, and what training do they need?",
        "Only people who have passed the training of 2 hours with Ms Aiko Brandt may use it.",
    ),
    (
        "When is the fire alarm tested?",
        "The alarm is tested on the first Monday of each month at 11:00; on that occasion you may stay.",
    ),
    ("Where do I throw away broken glass?", "Broken glass goes into the blue bin and nowhere else."),
]

CANTEEN = """\
员工食堂管理办法

第一章 总则

第一条 为了让员工吃得安全、吃得满意，根据公司有关规定，制定本办法。本办法适用于总部和港区两个食堂。

第二条 食堂由行政部负责管理。行政部每季度向员工代表会议报告一次收支情况。

第二章 就餐时间和标准

第三条 早餐供应时间为七时至八时三十分，午餐为十一时三十分至十三时，晚餐为十七时三十分至十九时。值夜班的员工可以在二十三时领取夜宵。

第四条 公司每个工作日为每名员工补贴午餐费十五元。补贴存入员工卡，当月有效，不能兑换现金。早餐和晚餐由员工自己付费。

第五条 来访客人就餐，须由接待部门提前一天登记。客人的餐费由接待部门承担，每人每餐不超过四十元。

第三章 食品安全

第六条 采购食品必须查验供应商的许可证，并保存进货票据两年。不得采购没有标签或者超过保质期的食品。

第七条 每餐的每种菜品留样不少于一百二十五克，在冷藏柜中保存四十八小时。留样记录由食堂主任签字。

第八条 厨房工作人员每年体检一次，取得健康证明后才能上岗。出现发热、腹泻或者手部伤口感染的，应当立即离开岗位。

第四章 节约和秩序

第九条 提倡按需取餐，不浪费粮食。一次浪费超过二百克的，提醒一次；一个月内被提醒三次的，取消次月补贴。

第十条 食堂内禁止吸烟。餐具用后由本人送到回收处，不得带出食堂。

第五章 投诉

第十一条 员工对饭菜质量或者服务有意见的，可以拨打电话八八〇二，也可以写信给行政部。行政部应当在五个工作日内答复。

第十二条 本办法自二〇二五年三月一日起施行。
"""

CANTEEN_QUESTIONS = [
    ("公司每个工作日补贴多少午餐费？", "第四条 公司每个工作日为每名员工补贴午餐费十五元。"),
    ("补贴可以换成现金吗？", "补贴存入员工卡，当月有效，不能兑换现金。"),
    ("菜品留样要保存多少小时？", "第七条 每餐的每种菜品留样不少于一百二十五克，在冷藏柜中保存四十八小时。"),
    ("投诉以后行政部几天内答复？", "行政部应当在五个工作日内答复。"),
]


def write(folder: Path, faces: object = None) -> None:
    (folder / SAFETY_NAME).write_bytes(SAFETY.encode())
    (folder / CANTEEN_NAME).write_bytes(CANTEEN.encode())
