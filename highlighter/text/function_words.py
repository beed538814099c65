"""The most frequent function words of languages, by which languages of one script are told from each other.

They are general knowledge of the languages; words that a neighbouring language has, too, stand in both rows.
"""

from __future__ import annotations

from collections.abc import Mapping

_ROWS = {
    "en": "the of and to in is that for it with as was on are be this by at from or have an not which you were but has had"
    " will shall all any its their been if one when who what how where why does do did can may must there we he she",
    "de": "der die das und ihr ihre sein haben muss ist nicht ein eine einer eines einem einen zu den dem des mit von für auf im in sich es auch als an"
    " werden wird wurde sind bei oder aus nach wie zum zur durch über hat kann nur wenn er sie ich was wer wo wann welche"
    " welcher welches bis vor man warum dürfen darf",
    "fr": "le la les de des du et est un une en à au aux que qui dans pour pas sur ne par plus ce cette ces il elle se sont avec"
    " ou son sa ses être nous vous leur où quel quelle quels quelles comment quand pourquoi combien peut si après avant qu sont",
    "es": "el la los las de del y es un una en a que no por con para se su sus al lo como más o pero este esta fue son ha"
    " si sí desde qué quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde cómo hasta puede después hay sin",
    "it": "il lo la i gli le di del della dei delle e è un una in a che non per con si da al alla sono come più ma o questo"
    " questa nel nella dal dalla chi cosa quando dove quale quali quanto quanti perché può anche ha essere",
    "pt": "o a os as de do da dos das e é um uma em no na nos nas que não por para com se ao à como mais ou mas seu sua foi são"
    " quem qual quais quando onde quanto quantos até pode depois há sem também ser pelo pela",
    "nl": "de het een en van in is dat op te zijn met voor niet aan er die om ook als door bij naar uit wordt worden werd of"
    " hij zij wat wie waar wanneer hoe hoeveel waarom welke kan moet deze dit over tot meer na geen",
    "sv": "och att det som en ett på är av för med den till inte har de om var han hon jag från men så kan vid eller ska skall"
    " när vad vem hur vilken vilket efter under också detta denna mellan",
    "da": "og at det som en et på er af for med den til ikke har de om var han hun jeg fra men så kan ved eller skal når hvad"
    " hvem hvor hvordan hvilken efter under også blev være mellem",
    "nb": "og at det som en et på er av for med den til ikke har de om var han hun jeg fra men så kan ved eller skal når hva"
    " hvem hvor hvordan hvilken etter under også ble være mellom",
    "fi": "ja on ei se että oli joka mutta tai hän ovat kun niin myös kuin jos sen ole mitä mikä missä milloin kuka miten"
    " kuinka voi jotka siitä tämä vain",
    "pl": "i w z na do nie się jest to że o od po przez za jak ale lub są oraz który która które dla przy tym czy co kto gdzie"
    " kiedy ile dlaczego może był była było ma jako",
    "cs": "a v na se je že s z do to o k pro za jako by ale nebo jsou po od který která které při také být co kdo kde kdy"
    " kolik proč jak může byl byla bylo má není",
    "ro": "și de la în a o un cu pe nu este că din care pentru să sunt mai se ce sau dar al ale după cum când unde cine cât"
    " poate fost prin fi acest această",
    "hu": "a az és hogy nem is egy van de meg ez volt csak el ha mint vagy már kell mi ki hol mikor mennyi hány hogyan miért"
    " után által lehet azt",
    "tr": "ve bir bu da de için ile olarak olan çok daha gibi kadar ne ya o değil var ise mi mı mu nedir kim nerede nasıl"
    " hangi kaç sonra en her veya",
    "id": "yang dan di dari untuk dengan pada adalah ini itu dalam tidak ke oleh akan atau juga sebagai dapat telah apa siapa"
    " kapan berapa mana bagaimana mengapa harus karena ada",
    "vi": "và của là có được trong cho với không các một những này để người khi đã từ đến trên về hay thì tại ở bao nhiêu gì"
    " ai nào đâu như phải",
    "ru": "и в не на что с по как это он она к но из у за от о же для был была было или при если так их его до мы вы чем"
    " кто где когда сколько почему какой какая может также является",
    "uk": "і в не на що з за до як це він вона та у від але для про його був була було або якщо їх при вони хто де коли"
    " скільки чому який яка може також є",
    "bg": "и в не на че с за до как това той тя от са по ще се да или ако при към е беше като но кой къде кога колко защо може",
    "ar": "في من على إلى عن أن إن هذا هذه التي الذي كان كانت لا ما مع أو ثم كل بعد قبل بين هو هي لم لن قد حتى عند منذ كم متى أين"
    " كيف لماذا هل أي ماذا ذلك",
    "fa": "و در به از که این را با است برای آن یک می خود تا بر هم نیز شود شد بود کرد یا اما هر باید چه کی کجا چگونه چرا چند"
    " های شده کند",
    "ur": "کے کی میں ہے اور سے کا کو ہیں نے پر یہ کہ وہ ایک بھی تھا تھی کر لیے گیا جو نہیں تو یا کیا کون کہاں کب کتنا کتنے کیوں کیسے",
    "hi": "के में की है और से का को हैं ने पर यह कि वह एक भी था थी थे कर लिए गया जो नहीं तो या इस उस हो होता होती क्या कौन कौन"
    " कहाँ कब कितना कितने कितनी किस किन क्यों कैसे जाता जाती जाते",
    "mr": "आहे आणि या च्या मध्ये ते हे होते होता होती आहेत नाही व की तर त्या यांनी केले असे एक पण किंवा कोण कुठे केव्हा किती का",
    "ne": "छ र को मा लाई ले हो छन् यो त्यो पनि गर्न गरेको भएको तथा वा एक थियो थिए गर्छ को कहाँ कहिले कति किन कसरी",
}  # fmt: skip

FUNCTION_WORDS: Mapping[str, frozenset[str]] = {code: frozenset(words.split()) for code, words in _ROWS.items()}
ALL_FUNCTION_WORDS: frozenset[str] = frozenset().union(*FUNCTION_WORDS.values())
# In English, a function word of one of these is a foreign word. Those of further languages are English words, too: "men" is "but" in
# Swedish, "care" is "which" in Romanian, "on" is "ten" in Turkish.
FUNCTION_WORDS_BESIDE_ENGLISH: frozenset[str] = frozenset().union(
    *(FUNCTION_WORDS[code] for code in ("de", "fr", "es", "it", "pt", "nl", "ru"))
)
