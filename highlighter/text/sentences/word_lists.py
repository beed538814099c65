"""Words that decide where sentences end: abbreviations, sentence starters, words that take numbers.

Written without their final stop, in lower case. Only general knowledge of the languages; shapes that a pattern
recognises (initials, `u.s`, numbers) are not listed.
"""

from __future__ import annotations


def word_set(*lines: str) -> frozenset[str]:
    """Return the words of some lines."""
    return frozenset(word for line in lines for word in line.split())


# Titles, recognised by their capital: a name follows, so they never end a sentence.
TITLES = word_set(
    "mr mrs ms messrs mx dr drs prof profs rev revd hon pres gov gen lt capt cpt cmdr cdr col sgt cpl maj brig adm rep reps sen sens",
    "ex exec supt insp fr msgr msgr mgr mt atty lt-col lt-gen maj-gen",
    "hrn dipl frl hl mme mmes mlle mlles sra srta srs sres sras dn dña lic mons excmo excma ud uds vda av avda",
    "sig sigg sig.ra sig.na dott dir dott.ssa prof.ssa avv egr geom rag ing arch snr snra exmo exma dra dhr mevr mej",
    "κ κα κος δρ καθ г-н г-жа г-ну ген полк cra",
)
# Something always follows these: an example, the other party, a name.
ABBREVIATIONS_NEVER_LAST = word_set(
    "vs v e.g eg i.e ie cf viz asst assoc n.b q.v esp incl excl",
    "vgl sog z.b z.t d.h ggf evtl insb einschl zzgl inkl dipl.-ing prof.dr",
    "c.-à-d c.à.d p.ex p.ej bijv t.a.v d.w.z m.b.t i.v.m o.l.v np tzn tzw m.in ul św inż płk",
    "проф акад доц инж тов пгт пос дер р-н av avda prof dott sig ks abp bp hr fru",
    "f.eks feks bl.a fx t.ex d.v.s jf jfr kand им ул пр просп пл пер наб т.е т.к т.н напр ср им вул т.нар чл.-кор",
    "π.χ δηλ βλ πρβλ डॉ प्रो श्रीमती कु கி.பி கி.மு திரு திருமதி",
)

# Abbreviations before a number, a letter or a Roman numeral; before anything else they count as ordinary words.
ABBREVIATIONS_BEFORE_NUMBERS = word_set(
    "no nos nr nrs n° nº p pp pg pgs art arts cl cls sec secs sect sects fig figs ch chs chap chaps chapt par para paras v ref",
    "pt vol vols ver ed eds eq eqs ex exh app appx sched sch tab tbl bk col cols ll l n nn fn ep pos item stat reg regs r subd subds",
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun tel ext rm apt ste c ca",
    "lun mié jue vie sáb dom ene abr ago dic párrf hs tlf gen lug giu mag ott fr sa mo di mi",
    "abb bem def abs bd gem hft kap ziff s ss rn rdnr lfd tz anm approx circa cca ungefähr rd mind max min op",
    "janv févr avr juil déc pág págs núm núms tít cap caps párr pag pagg artt num fasc tom t mod",
    "blz hfdst lid rozdz str ust poz sz зоб zob",
    "ст стр с пп п рис табл гл разд кн т абз див илл тел чл ал бр ок",
    "σ σελ αρ άρθ παρ τ",
)

# Symbols of units, which are written without a stop: after a number and before a capital, the stop is that of the sentence.
UNIT_SYMBOLS = word_set(
    "mg g kg µg μg mcg ng km m cm mm µm μm nm ml dl cl ha kw kwh mw mwh gwh kv hz khz mhz ghz kb mb gb tb mmhg mol mmol nmol"
)

# After one of these a sentence may end or go on: a word that opens sentences decides.
GENERAL_ABBREVIATIONS = word_set(
    "st ste mts rd ave blvd ln hwy pkwy bldg dept div est govt univ inst assn bros co corp inc ltd llc llp plc pty pte cie",
    "gmbh ohg mbh bhd sdn jr sr esq phd ph.d m.phil m.sc b.sc d.phil ll.b ll.m al approx avg max min misc etc",
    "orig intl natl qu dist cir supp cont cont'd eds trans repr ibid id cit loc op.cit f.ex",
    "yr yrs mos hr hrs wk wks secs oz lb lbs kg km cm mm ml ft yd mph qty amt recd pp vol vols nos sect chap fig figs",
    "suppl mgmt mfg mfr cf ca cca resp",
    "usw bzw u.s.w o.ä u.ä bspw geb gest hrsg jh jhd mio mrd tsd verf vorm nachm zzt str",
    "allg bes betr bez dgl ehem eigtl entspr erg evang kath röm tägl urspr verh zw",
    "env éd coll apr sté ets tél boul réf",
    "admón aprox cía depto dpto dcha izda edo fdo gral ntro prov pza tfno ee.uu",
    "ecc soc s.p.a enz ongv aanw vnl itd itp mln mld godz woj sp.z.o.o",
    "osv m.fl kl kr ekskl iflg vedr aps а/с",
    "т.д т.п др г гг вв н.э руб коп млн млрд тыс шт кг см мин сек час куб кв обл р-н корп ред изд",
    "янв февр фев мар апр авг сент сен окт нояб ноя дек лв хил",
    "κ.λπ κλπ κ.ά χλμ τηλ yrd doç vb vs örn bkz şti a.ş cad mah",
)
# General abbreviations that are ordinary words or names without their capital: months, American states, legal sources.
CAPITALISED_ABBREVIATIONS = word_set(
    "jan feb apr aug sept oct nov dec calif cal ariz ark colo conn del fla ga ill ind kan ky mass md mich minn mont neb nev",
    "okla ore penn tenn tex va vt wash wis wyo ont que dem ed fed civ crim proc evid bankr const amend ct cong sess admin regt",
    "cent stat bus",  # N.D. Cent. Code, Minn. Stat. Sec. 80, N.Y. Gen. Bus. Law
)

# A list's last word: a capital after it opens a new sentence.
LIST_CLOSERS = word_set("etc usw u.s.w usf ecc itd itp enz osv o.s.v m.m m.fl т.д т.п др κ.λπ κλπ vb")
COMPANY_SUFFIXES = word_set(
    "co corp inc ltd llc llp plc pty cie gmbh ag s.a s.l s.p.a s.r.l n.v b.v jr sr esq ph.d m.d bros"
)
UNITS = word_set(
    "г гг в вв руб коп шт кг см мин сек час м км р yr yrs hr hrs mo mos wk wks oz lb lbs kg km cm mm ml ft yd gal mi mph min",
    "sec in kr zł gr std mio mrd m g l t h",
)

# Closed-class words that open a sentence when they come with a capital. The first group is no part of names, so that it
# also decides after an initial ("you and I. Did ..."); the second may be ("J. Le Clerc").
SENTENCE_STARTERS = word_set(
    "the a this that these those it he she we they you i his her its our their your my there here if when where while what who",
    "whom whose which why how did does is are was were would can could should might must shall has have had in on at by for",
    "from with to as but and or yet nor not no yes then thus hence however therefore moreover furthermore meanwhile although",
    "though because since after before during until unless once both each every all any some many most much few several such",
    "another other others one two three four please let also even only just perhaps maybe now today yesterday tomorrow later",
    "soon next first finally nevertheless nonetheless otherwise instead indeed under over within without upon about above",
    "according additionally similarly consequently despite following given mr mrs ms neither either nothing nobody everyone",
    "everything someone something anyone than whether whereas until till according subject except hundreds thousands millions dozens",
    "thereafter thereupon hereafter notwithstanding pursuant whenever wherever whoever whichever",
    "sei seien daraus somit damit folglich nun",
    "er sie es wir ihr ich das ein eine einen einem einer dies diese dieser dieses wenn als aber und oder auch nach mit für",
    "wie wo wer was warum wann jedoch daher deshalb dann dort hier seit bei aus auf durch nur noch nicht",
    "il elle ils elles nous vous ce cette ces cet mais où qui quand comment pourquoi puis ensuite ainsi cependant donc avec pour",
    "dans selon une lorsque si ici je c'est",
    "él ella ellos ellas nosotros usted este esta estos estas ese esa pero cuando como donde qué quién cómo cuándo dónde por",
    "para según entonces también además luego desde sin sobre hay",
    "lui lei noi voi loro questo questa questi queste quando dove chi perché poi anche così quindi però con nel nella gli",
    "ele ela eles elas nós isto isso aquele quando onde quem depois também porém com sem",
    "hij zij wij jij het een dit dat deze die maar als wanneer waar wie hoe waarom dan ook met voor",
    "on ona ono oni ten ta te jak kiedy gdzie kto czy potem także jednak",
    "он она оно они мы вы я ты это этот эта эти тот но и а в на с по из для от до при когда где что кто как почему если затем",
    "потом также однако здесь там все так не его её их у к после",
    "αυτός αυτή αυτό ο η το οι τα ένας μια αλλά και όταν πού ποιος τι πώς γιατί αν μετά",
)
NAME_LIKE_STARTERS = word_set(
    "an so do will may well like long der die den dem des von vom zum zur im am le la les un des du de en el los las lo una",
    "o os as um uma de het van te den det en et han hun vi",
)

# "clause 4. The", "page 2. The": the number belongs to the word before it, it opens no list item.
NOUNS_BEFORE_NUMBERS = word_set(
    "section sections clause clauses article articles chapter chapters part parts page pages paragraph paragraphs figure table",
    "schedule appendix annex exhibit rule rules step steps phase stage level grade class type version volume book",
    "line lines row column note question option plan group team room floor unit number day week month year age act scene lot",
    "number of to in at on by for from with than and or the under over until through",
    "between equals plus minus times vitamin hepatitis category appendix form zone site block gate house flat route highway",
    "january february march april may june july august september october november december top round game set factor point",
)
# "Article 5. The parties ...": at the start of a sentence this is a heading number that stays with its text.
NUMBERED_HEADING_WORDS = word_set(
    "article section clause chapter part rule schedule appendix annex exhibit item step question note paragraph title art sec cl",
    "chap reg regulation figure fig table case example artikel abschnitt kapitel teil anhang anlage artículo sección capítulo",
    "cláusula anexo chapitre annexe titre articolo capitolo sezione allegato artigo seção статья глава раздел пункт приложение",
    "rozdział dział §",
    "סעיף פרק נספח תקנה חלק المادة مادة البند بند الفصل الباب القسم الملحق الفقرة ماده فصل بخش تبصره دفعہ",
    "धारा अनुच्छेद अध्याय भाग अनुसूची खंड नियम कलम ধারা অনুচ্ছেদ অধ্যায় তফসিল বিধি பிரிவு அத்தியாயம் அட்டவணை விதி",
    "มาตรา ข้อ บทที่ หมวด មាត្រា ជំពូក",
)
REPORTING_VERBS = word_set(
    "said says say asked asks replied answered added cried shouted whispered muttered exclaimed yelled called explained",
    "continued remarked insisted agreed told wrote thought wondered inquired demanded suggested screamed murmured responded",
)
CALENDAR_WORDS = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september",
    "october november december mon tue tues wed thu thur thurs fri sat sun est edt cst cdt mst mdt pst pdt gmt utc bst cet",
    "eastern central mountain pacific",
)
# "3. Oktober", "19. Jahrhundert": after a number and its stop in German and its neighbours. Names of months that are
# English only are not here, or "It was 5. March came." would be one sentence.
WORDS_AFTER_ORDINALS = word_set(
    "januar jänner februar märz april mai juni juli august september oktober november dezember januari februari maart mei juni",
    "juli augustus januára ledna února března dubna května června července srpna září října listopadu prosince marts maj",
    "jahrhundert jahrhunderts jahrtausend jahrtausends weltkrieg weltkriegs lebensjahr lebensjahres geburtstag auflage quartal",
    "spieltag klasse etage stockwerk bezirk kapitel jahrestag",
)
# Before an ordinal in German and its neighbours: "im 19. Jahrhundert", "der 1. FC".
WORDS_BEFORE_ORDINALS = word_set(
    "am im vom zum zur beim der die das dem den des ein eine einem einen einer bis seit ab jeder jede jeden jedes sein seine",
    "ihr ihre unser und oder pro auf in den det",
)
# Words of one syllable that end sentences in Indic scripts, where most of one syllable with a stop are initials and titles.
INDIC_FINAL_WORDS = word_set("है हैं हूँ हूं हो था थे थी थीं की दी ली ना दो लो না কি নি হয় வா போ தா છે ਹੈ")
VERBS = word_set(
    "is was are were has had have will would can could shall should may must does did do said says announced reported became",
    "joined left went came made took founded owns runs",
)
PRONOUNS = word_set("i you he she it we they who")
