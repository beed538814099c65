"""The phrases by which a text instructs a language model, as patterns for text that `model_instructions.py` normalised:
lower case, without accents, in Simplified Chinese, single spaces, straight quotes.

People are instructed in documents, too ("Ignore the warning light"), so no pattern is a verb alone: each needs a second
sign that a machine is meant, such as its earlier instructions, its name, its prompt or its answer.
"""

from __future__ import annotations

# What a language model is called.
_MODEL_NAMES = (
    r"(?:chatgpt|chat ?gpt|gpt-?\d[\w.-]*|llms?|a\.?i\.?(?! act\b)|claude|gemini|copilot|deepseek|qwen|ki(?:-\w+)?|ia"
    r"|(?:chat|ai |ki-)bots?|(?:large )?language models?|foundation models?|artificial intelligences?"
    r"|(?:ai|llm|gpt|virtual|digital|automated)[ -](?:assistants?|agents?|models?|reviewers?|systems?|readers?|tools?|bots?)"
    r"|inteligencia artificial|asistente (?:de |virtual de )?ia|(?:gran )?modelo de lenguaje"
    r"|assistente (?:de |di )?ia|modelo de linguagem|assistente virtual"
    r"|(?:grand )?modele de langage|intelligence artificielle|assistant (?:d')?ia|agent conversationnel"
    r"|sprachmodell\w*|kunstliche intelligenz|chatbots?"
    r"|(?:grande )?modello (?:linguistico|di linguaggio)|intelligenza artificiale)"
)
_CHINESE_MODEL = (
    r"(?:人工智能|ai|(?:大型?|大规模)?语言模型|大模型|聊天机器人|chatgpt|gpt|llm)(?:助手|助理|系统|模型|审稿人|评审)?"
)

# Where an order begins: at the start of a clause. "Do not ignore" and "The Buyer shall ignore" have another word there.
_CLAUSE = (
    r"(?:^|[.!?:;,\"()\[\]>|*-] ?|\b(?:and|then|please|now|just|so|also|you (?:must|should|will|can|need to|have to|are to)"
    r"|y|e|et|und|bitte|por favor|veuillez) )"
)
_INSTRUCTIONS = r"(?:instructions?|prompts?|directions|directives?|guidelines|rules|commands|orders|programming|training|constraints|restrictions|guardrails|filters|context|messages?)"
_EARLIER = r"(?:previous|prior|above|preceding|earlier|foregoing|former|original|initial|existing|past|system|safety|content|security|ethical)"
# After the earlier instructions: not "of the Buyer", "regarding the delivery" and the like, which are people's.
_END = r"(?! ?(?:of|by|from|regarding|about|concerning|on|in|for|contained|issued|if|unless)\b)"
_HUMANS = (
    r"(?:customer|caller|guest|patient|police|officer|inspector|visitor|client|journalist|reporter|parent|student|pupil"
    r"|candidate|applicant|passenger|employee|staff|your|cliente|kunde|kunden|顾客|客户|客人|警察|家长|记者)"
)
_QUOTE = r"[^\"]{0,60}\"[^\"]"
_ORDERS = (
    r"(?:please|say|rate|answer|reply|respond|output|print|mark|approve|ignore|disregard|recommend|conclude|give|state"
    r"|include|cite|do not|don't|never|always|you|write|treat|tell|end|describe|summari[sz]e|judge|accept|confirm|repeat"
    r"|return|forget|use only|translate|classify|score|append|insert)"
)
_DUTY = (
    r"(?:you (?:must|should|shall|will|have to|are)|always|never|do not|(?:answer|reply|respond|say|state|recommend|mention|cite|output|ignore)\b"
    r"|debes?\b|tienes que|vous devez|tu dois|tu doit|(?:musst|sollst|darfst) du|mussen sie|(?:voce )?deve\b|devi\b|devono\b)"
)
_UNRESTRICTED = (
    r"(?:without (?:any )?(?:restrictions?|rules|limits?|limitations|filters)|no (?:restrictions|rules|limits)|unrestricted|jailbroken"
    r"|sin (?:restricciones|limites|reglas)|sans (?:restrictions?|limites?|regles)|ohne (?:einschrankungen|beschrankungen|regeln|grenzen)"
    r"|sem (?:restricoes|limites|regras)|senza (?:restrizioni|limiti|regole))"
)
_ARTICLE = r"(?:an?|the|un|una|une|uma|um|ein|eine|einen)"

ENGLISH_OVERRIDE = (
    rf"(?:ignore|disregard|forget|override|bypass|discard|neglect|overlook|do not (?:follow|obey)|stop (?:following|obeying)"
    rf"|pay no attention to) (?:(?:all|any|every|each|the|of|these|those|your) ){{0,4}}(?:{_EARLIER} (?:or {_EARLIER} |and {_EARLIER} )?(?:safety |system )?){_INSTRUCTIONS}\b{_END}"
)

# Each pattern comes after words of which a text that matches has at least one: they are looked for first, as that is fast.
PATTERNS: tuple[tuple[tuple[str, ...], str], ...] = (
    # The markup of chat templates
    (("<", "[inst", "[/inst"), r"<\|\w+\|>|<\|?(?:im_start|im_end|endoftext|start_header_id|end_header_id)\|?>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|^<system>"),
    (("##",), r"^#{2,} ?(?:system(?: prompt| message)?|instruction)(?: ?:|$)"),
    (("system",), r"^(?:\[system\]|system ?:|system (?:prompt|message) ?:)(?! ?(?:the|an?) ) ?(?:.{0,60}\b(?:you|always|never|every|ignore|do not|answer)\b)"),
    # Earlier instructions
    (("ignore", "disregard", "forget", "override", "bypass", "discard", "neglect", "overlook", "follow", "obey", "attention"), rf"{_CLAUSE}{ENGLISH_OVERRIDE}"),
    (("ignore", "disregard", "forget", "override", "bypass"), rf"{_CLAUSE}(?:ignore|disregard|forget|override|bypass) (?:all|any|every|all of|all the)(?: of)?(?: the| your| these)? (?:instructions|prompts|rules|guidelines|guardrails)(?=$| ?[.!;,]| and | then )"),
    (("ignore", "disregard", "forget", "override", "bypass"), rf"{_CLAUSE}(?:ignore|disregard|forget|override|bypass) (?:all )?your (?:[\w]+ )?(?:instructions|prompts?|rules|guidelines|guardrails|filters|training|programming)\b{_END}"),
    (("ignore", "disregard", "forget"), rf"{_CLAUSE}(?:ignore|disregard|forget) (?:everything|anything|all)(?: that (?:is|was|came))? (?:above|before this|you (?:were|have been) told)\b"),
    (("ignore", "disregard", "forget"), rf"{_CLAUSE}(?:ignore|disregard|forget) (?:the|all of the|all the) above(?=$| ?[.!;,]| and )"),
    (("your ",), r"\byour (?:previous|prior|original|earlier|initial) (?:instructions|rules|guidelines|prompt) (?:no longer apply|do not apply|are (?:now )?(?:void|obsolete))"),
    (("ignor", "olvid", "descart", "desobed", "omit", "cuenta", "omiso"), rf"{_CLAUSE}(?:ignor[ae]n?|olvid[ae]n?|descart[ae]n?|desobedec[ea]n?|omit[ae]n?|no (?:tengas|tenga|tengan) en cuenta|haz caso omiso de|haga caso omiso de) (?:a )?(?=[\w ]{{0,60}}\b(?:todas|tus|todos|anteriores|previas|previos|arriba|precedentes)\b)(?:[\w]+ ){{0,3}}(?:instrucciones|reglas|indicaciones|ordenes|directrices)(?! (?:de seguridad|de uso|del fabricante))"),
    (("ignor", "oubli", "compte", "abstraction"), rf"{_CLAUSE}(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:pas|aucun) compte|(?:fais|faites) abstraction) (?:de |des |d')?(?=[\w' -]{{0,60}}\b(?:toutes|tes|vos|precedentes|anterieures|ci-dessus|initiales)\b)(?:[\w']+ ){{0,3}}(?:instructions|consignes|regles|directives|ordres)(?! de securite)"),
    (("ignorier", "vergiss", "vergess", "missacht", "verwirf", "uberschreib"), rf"{_CLAUSE}(?:ignorieren?|ignoriert|vergiss|vergessen|missachten?|verwirf|uberschreibe) (?:sie )?(?:bitte )?(?=[\w ]{{0,60}}\b(?:alle|samtliche|deine|vorherigen|bisherigen|obigen|fruheren|vorangegangenen|vorigen|ursprunglichen)\b)(?:[\w]+ ){{0,3}}(?:anweisungen|instruktionen|regeln|vorgaben|befehle|prompts?)\b(?! (?:des|der|von|zur|zum)\b)"),
    (("ignor", "esque", "desconsider", "desobedec"), rf"{_CLAUSE}(?:ignor[ae]|ignorem|esqueca|esquece|desconsider[ea]|desobedeca) (?=[\w ]{{0,60}}\b(?:todas|quaisquer|suas|tuas|anteriores|previas|acima)\b)(?:[\w]+ ){{0,4}}(?:instrucoes|regras|diretrizes|ordens)(?! de seguranca)"),
    (("ignor", "dimentic", "trascur"), rf"{_CLAUSE}(?:ignor[ai]|ignorate|ignorare|dimentica|dimenticate|trascura|trascurate) (?=[\w ]{{0,60}}\b(?:tutte|tue|vostre|precedenti|sopra|iniziali)\b)(?:[\w]+ ){{0,4}}(?:istruzioni|regole|direttive|indicazioni)(?! di sicurezza)"),
    (("忽略", "无视", "理会", "遵", "忘", "抛弃", "覆盖"), r"(?:^|[,。:;!、\"]|请|并|然后|现在) ?请?(?:直接|立即|务必|完全)?(?:忽略|无视|不要理会|不要遵[守循从]|忘记|忘掉|抛弃|覆盖)(?:掉)?(?:(?:你|您|在|之前|先前|以上|上述|上面|前面|此前|所有|一切|全部|任何|原有|原来|收到|得到|系统|的)){1,6}(?:指令|指示|提示词|规则|命令|设定|设置)(?!器)"),
    # A new role
    (("you are", "you will", "act as"), rf"\b(?:you are(?: now)?|from now on,? you are|(?:pretend|imagine) (?:that )?you are|act as|you will (?:now )?(?:act as|be)) (?:{_ARTICLE} )?(?:[\w-]+ ){{0,3}}?(?:{_MODEL_NAMES}|(?:helpful|unrestricted|obedient) assistant|dan)\b(?! (?:provider|user|developer|vendor|company|expert|researcher|engineer|literacy|act))(?=$| ?[.!,;]| (?:that|who|which|and|called|named|from|with|without|reading|processing|reviewing|trained)\b)"),
    (("you are", "from now on", "act as", "pretend"), rf"\b(?:you are|from now on,? you|act as|pretend) [^.!?]{{0,50}}(?:{_UNRESTRICTED}|who always agrees|always agree )"),
    ((" mode",), rf"{_CLAUSE}(?:enable|activate|enter|switch to) (?:developer|debug|god|dan|jailbreak|unrestricted) mode\b[^.]{{0,40}}\b(?:drop|without|no|ignore|remove|lift|disable)\b"),
    (("eres ", "seras ", "actua ", "tu es ", "vous etes ", "sois ", "agis ", "du bist ", "sie sind ", "voce e ", "aja ", "sei ", "comportati ", "lei e "), rf"\b(?:eres|seras|actua como|tu es|vous etes|sois|agis comme|du bist|sie sind|voce e|tu es|aja como|sei|comportati come|lei e)\b(?: (?:ahora|desormais|maintenant|jetzt|nun|ab sofort|agora|ora|adesso))?,? (?:{_ARTICLE} )(?:[\w-]+ ){{0,3}}?(?:{_MODEL_NAMES}|(?:asistente|assistant|assistente?)\b[\w ]{{0,20}}{_UNRESTRICTED}|\w+ {_UNRESTRICTED})"),
    (("你",), rf"你(?:现在|从现在起|从现在开始)?(?:就)?(?:是|扮演|将扮演)(?:一个|一名|一位|个)?[^。,!?]{{0,15}}?{_CHINESE_MODEL}(?=$|[。,!;]| )(?!的)"),
    # A model, addressed by what it is
    (("as ", "como ", "tant que", "als ", "in quanto", "qualita", "come ", "qualidade"), rf"\b(?:as|como|en tant que?|als|in quanto|in qualita di|come|em qualidade de|na qualidade de) ?(?:{_ARTICLE} |qu')?(?:[\w-]+ )?{_MODEL_NAMES}(?: \w+)?,? {_DUTY}"),
    (("as an assistant",), r"\bas an? assistant,? you (?:must|should|shall) (?:always |never |only )?(?:answer|reply|respond|say|state|mention|cite|ignore|recommend|output|tell the user)\b"),
    (("if you", "eres", "usted es", "vous etes", "tu es", "wenn", "falls", "voce e", "sei ", "lei e "), rf"\b(?:if you(?: a|')re|si (?:eres|usted es|vous etes|tu es)|(?:wenn|falls) (?:du|sie)|se (?:voce e|sei|tu es|lei e)) (?:{_ARTICLE} )?(?:[\w-]+ )?{_MODEL_NAMES}(?: (?:reading|processing|summari[sz]ing|reviewing|evaluating|parsing|bist|sind)\b[^,]{{0,60}})?,"),
    ((":",), rf"(?:^|[.!(\[*] ?)(?:note|message|attention|instructions?|notice|reminder|hint|important|warning|nota|aviso|mensaje|mensagem|messaggio|avviso|hinweis|anweisung|nachricht|remarque|avis|consigne|to|dear|hey|hi|hello)[ ,:]+(?:(?:to|for|all|any|the|every|an|die|alle|fur|das|den|para|la|el|los|o|a|os|aos|pour|per|agli|alle|a l'intention de|de) )*(?:l'|all'|a l'|dell')?{_MODEL_NAMES}(?: (?:assistants?|models?|reviewers?|agents?|systems?))?(?: (?:reading|processing|summari[sz]ing|reviewing|evaluating|that|which|who|die|das|que|qui|che)\b[^:]{{0,60}})? ?:"),
    ((",", ":"), rf"^(?:attention|hey|hi|hello|dear|note to|to)?[ ,]*{_MODEL_NAMES}(?: (?:assistants?|models?|reviewers?))? ?[,:] ?{_ORDERS}\b"),
    (("assistant",), r"^assistant ?[,:] ?(?:please )?(?:do not|never|always|say|answer|reply|respond|output|ignore|cite|you)\b"),
    (("the assistant", "this assistant", " model ", " ai ", " llm ", " chatbot "), r"\b(?:the|this|any) (?:assistant|(?:ai|language) model|ai|llm|chatbot) (?:must|should|shall|has to|is to|will) (?:always |only )?(?:ignore (?:all|the|any) (?:other|previous|prior)|cite only|quote only|not (?:cite|mention) (?:any |the )?other|approve (?:this|every|all))"),
    (("致", "给", "写", "提醒", "注意", "告知"), rf"(?:^|[。!,\"])(?:请)?(?:致|给|写给|提醒|注意[:,]?|告知)[^。,:]{{0,10}}{_CHINESE_MODEL}[^。,:]{{0,6}}:"),
    (("作为",), rf"作为(?:一个|一名|一位)?{_CHINESE_MODEL},?(?:你|您|请|必须|应当?|总是|始终)"),
    (("如果",), rf"如果(?:你|您)是(?:一个|一名)?{_CHINESE_MODEL}(?=[,。]|正在|阅读)"),
    (("系统",), r"^系统(?:提示词? ?:|消息 ?:|指令 ?:) ?(?:你|您|一律|总是|始终|必须|请始终|请一律|忽略)"),
    # What to answer, when somebody asks
    (("asked",), rf"^(?!.*\b{_HUMANS}s?\b)(?:.{{0,40}}[,:] ?)?(?:when|whenever|if|once) (?:you are |you're )?asked\b[^\"]{{0,60}}?,? (?:(?:you must |please )?(?:answer|reply|respond|say|state|output)\b{_QUOTE}|(?:always|only|just) (?:answer|reply|respond|say|state)\b)"),
    (("user asks",), rf"^(?!.*\b{_HUMANS}s?\b)(?:.{{0,40}}[,:] ?)?(?:when|whenever|if) (?:the|a|any) user asks\b[^\"]{{0,60}}?,? (?:(?:you must |always |please )?(?:answer|reply|respond|say|output)\b{_QUOTE}|(?:the assistant|the ai|the model|you) must (?:answer|reply|respond|say))"),
    (("ask",), r"\bask(?:s|ed) (?:you )?to (?:summari[sz]e|translate|review|analy[sz]e|evaluate|rate) this\b[^.]{0,40}, (?:output|say|answer|reply|respond|state|write)"),
    (("cuando ", "si "), rf"^(?!.*\b{_HUMANS}s?\b)(?:cuando|si) (?:te |le |alguien )?(?:pregunten?|preguntan|pidan|piden)\b[^\"]{{0,60}}, ?(?:responde|responda|di|diga|contesta)\b{_QUOTE}"),
    (("demande",), rf"^(?!.*\b{_HUMANS}s?\b)(?:lorsqu'on|quand on|si on|si l'on) te demande\b[^\"]{{0,60}}, ?(?:reponds|dis)\b{_QUOTE}"),
    (("gefragt",), rf"^(?!.*\b{_HUMANS}s?\b)(?:wenn|falls) du [^\"]{{0,60}}gefragt wirst, ?(?:antworte|sage?)\b{_QUOTE}"),
    (("perguntar", "pedirem"), rf"^(?!.*\b{_HUMANS}s?\b)(?:quando|se) (?:te |lhe |alguem )?(?:perguntarem|perguntar|pedirem)\b[^\"]{{0,60}}, ?(?:responda|responde|diga)\b{_QUOTE}"),
    (("chiedono", "chiede", "domandano"), rf"^(?!.*\b{_HUMANS}s?\b)(?:quando|se) (?:ti |qualcuno )(?:chiedono|chiede|domandano)\b[^\"]{{0,60}}, ?(?:rispondi|di')\b{_QUOTE}"),
    (("使用者", "用户", "有人"), r"当?(?:使用者|用户|有人)(?:问到|询问|问及|问起|要求)[^,。]{1,20}(?:时|,)[^。\"]{0,10}(?:回答|回复|答复|输出|说)[^\"]{0,10}\""),
    (("\"",), rf"{_CLAUSE}(?:(?:answer|reply|respond|output|say)(?: only| just| nothing but| exclusively)(?: with| by saying)?|(?:only|just|simply) (?:answer|reply|respond|output|say)(?: with)?|answer (?:every|each|any|all) questions? (?:only )?with)(?: the (?:word|words|sentence|phrase))? \"[^\"]+\"(?!,? (?:or|if|when|to|after)\b)"),
    (("only",), rf"{_CLAUSE}(?:answer|reply|respond|output|say)(?: with)? only(?: with)? (?:the (?:word|words|sentence|phrase) \w+|\"[^\"]+\")(?!,? (?:or|if|when|to|after)\b)"),
    (("\"",), r"^(?:please )?(?:answer|reply|respond)(?: with| by saying)?:? \"[^\"\s]+(?: [^\"\s]+){2,}\" ?[.!]?$"),
    (("\"",), r"^(?:请)?(?:只|仅|直接)(?:输出|回答|回复) ?\""),
    (("tell the user",), rf"{_CLAUSE}tell the user [^.]{{0,80}}(?:https?://|www\.|\b[\w-]+\.(?:com|net|org|io|example)\b)"),
    # The prompt and these instructions themselves
    (("prompt", "instructions", "message"), rf"{_CLAUSE}(?:reveal|print|show|output|repeat|display|leak) (?:me )?(?:all )?(?:of )?(?:your|the) (?:system|initial|original|hidden|secret|internal|developer) (?:prompt|instructions|message)\b(?! (?:on|of) )"),
    (("do not",), r"\bdo not (?:tell|inform|reveal|mention|disclose|show)\b[^.]{0,40}\bthe user\b[^.]{0,30}\b(?:instructions?|prompt)\b|\bdo not (?:reveal|mention|disclose|show) (?:these|this|your|the) (?:instructions?|prompts?)[^.]{0,20}\buser"),
    (("不要",), r"不要(?:告诉|告知|透露给|向)(?:使用者|用户)[^。]{0,8}(?:指示|指令|提示词)"),
    # Other sources, and verdicts
    (("other",), r"\bdo not (?:mention|cite|quote|reference|refer to) (?:any |the |any of the )?other (?:sources?|documents?|passages?)(?=$| ?[.!,;]| in (?:your|the) (?:answer|response|reply|summary))"),
    (("other",), r"\bdo not (?:use|consider|rely on) (?:any |the )?other (?:sources?|documents?|passages?) (?:when answering|in your (?:answer|response|reply))"),
    (("only this",), r"\b(?:cite|quote) only this (?:document|source|text|passage)\b"),
    (("fuentes", "sources", "quellen", "fontes", "fonti"), r"\bno (?:cites?|menciones?|mencione) (?:las |los )?otr[ao]s fuentes|\bne (?:citez|cite|mentionnez) pas (?:les |d')autres sources|\b(?:nenne|zitiere) keine anderen quellen|\bnao (?:cite|mencione) (?:as )?outras fontes|\bnon (?:citare|cita|menzionare) (?:le )?altre fonti"),
    (("来源",), r"不要(?:引用|提及|使用|提到)(?:任何)?其[他它](?:的)?(?:资料)?来源"),
    ((" as ",), rf"{_CLAUSE}(?:mark|rate|judge|label|classify|treat|flag|score|count|consider) (?:this|every|each|all|the)\b[^.\"]{{0,60}} as \"?(?:fully )?(?:supported|grounded)\b"),
    (("verdict",), r"\b(?:correct |only |final )?verdict\b[^.\"]{0,40}\b(?:is|must be|should be|has to be) \"?(?:supported|grounded)\b"),
    (("将",), r"将[^。\"]{0,15}(?:标记|标注|判定|视|评)为 ?\"?(?:支持|有依据|已证实|supported)"),
    (("in your",), r"\bin your (?:response|answer|output|reply|summary),? (?:include|add|insert|append|mention|write) (?:the |this )?(?:following )?(?:sentence|phrase|words|link|url)\b"),
    (("your",), rf"{_CLAUSE}(?:add|include|append|insert) (?:this|the following) (?:link|url|image|sentence)[^.]{{0,20}} (?:to|in|at the end of) your (?:answer|response|reply|summary)\b"),
)  # fmt: skip

# Words outside of quotation marks that show that a phrase is only quoted, as handbooks of security do.
MENTION = (
    r"\b(?:such as|e\.g\.|for example|examples?|phrases?|terms?|means|called|attack\w*|inject\w*|jailbreak\w*|inputs?|sentences?"
    r"|ejemplo|ataque\w*|exemple|attaque\w*|beispiel\w*|angriff\w*|angreifer\w*|exemplo|esempio|attacc\w*)\b"
    r"|例如|比如|攻击|之类|所谓|注入|一词"
)

# After a sentence that instructs a model, a sentence that begins so continues it.
CONTINUATION = (
    r"^(?:instead,? )?(?:please )?(?:answer|reply|respond|say|output|print|write|give|state|recommend|conclude|tell the user|repeat"
    r"|you (?:must|are|will|should|always|never)|always|never|responde|responda|di|diga|reponds|repondez|dites|antworte|antworten sie"
    r"|sage|rispondi|rispondete|回答|输出|回复|你必须|你要|请回答|请输出)(?:\b|(?=[\u4e00-\u9fff\"]))"
)
