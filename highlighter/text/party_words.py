"""Words for parties and offices, in several languages: who may be the same, and who may not."""

from __future__ import annotations

import re
from functools import lru_cache

from highlighter.text.characters import fold
from highlighter.text.terms import is_cjk

# Words of a line may mean the same person. A word may stand in several lines.
_GROUPS = (
    "landlord lessor owner vermieter vermieterin verpächter bailleur propriétaire arrendador 出租人 出租方 房东 业主 贷主 賃貸人 المؤجر المالك",
    "tenant lessee occupier renter mieter mieterin pächter locataire preneur arrendatario inquilino 承租人 承租方 租客 租户 借主 賃借人 المستأجر",
    "buyer purchaser customer client acquirer shopper consumer käufer käuferin kunde kundin besteller acheteur acquéreur"
    " consommateur comprador cliente consumidor 买方 买家 买受人 采购人 采购方 需方 客户 顾客 消费者 買主 المشتري العميل الزبون",
    "seller vendor supplier provider dealer manufacturer retailer verkäufer verkäuferin lieferant anbieter hersteller händler"
    " vendeur fournisseur fabricant vendedor proveedor fabricante 卖方 卖家 出卖人 供应商 供货方 供方 经销商 売主 البائع المورد المزود",
    "client customer employer auftraggeber auftraggeberin besteller maître mandant donneur cliente comitente 委托人 委托方 发包人 发包方 招标人 采购人 発注者 委託者 العميل",
    "contractor supplier provider vendor builder consultant auftragnehmer auftragnehmerin unternehmer entrepreneur prestataire"
    " contratista proveedor 承包商 承包人 承包方 受托人 受托方 承揽人 中标人 供应商 供货方 卖方 受注者 受託者 المقاول المزود المورد",
    "subcontractor subunternehmer nachunternehmer subcontratista 分包商 分包人",
    "employer arbeitgeber arbeitgeberin dienstgeber employeur empleador patrono 雇主 用人单位 使用者",
    "employee worker staff operator arbeitnehmer arbeitnehmerin dienstnehmer mitarbeiter beschäftigter salarié salariée employé trabajador"
    " empleado 雇员 员工 职工 劳动者 労働者 従業員 الموظف العامل",
    "lender creditor bank darlehensgeber kreditgeber gläubiger prêteur créancier banque prestamista acreedor banco 贷款人 出借人 债权人 银行 المقرض الدائن البنك",
    "borrower debtor darlehensnehmer kreditnehmer schuldner emprunteur débiteur prestatario deudor 借款人 债务人 المقترض المدين",
    "guarantor surety bürge garant fiador garante 担保人 保证人",
    "licensor lizenzgeber concédant licenciante 许可方 许可人 授权方",
    "licensee lizenznehmer licencié licenciatario 被许可方 被许可人 被授权方",
    "insurer underwriter versicherer assureur asegurador aseguradora 保险人 保险公司 承保人",
    "insured policyholder customer client versicherungsnehmer versicherter kunde kundin assuré asegurado cliente tomador 被保险人 投保人 客户",
    "plaintiff claimant applicant petitioner kläger klägerin antragsteller demandeur requérant demandante 原告 申请人",
    "defendant respondent beklagte beklagter antragsgegner défendeur demandado 被告 被申请人",
    # Who lost appeals, whichever of the two it is.
    "appellant plaintiff claimant applicant petitioner kläger klägerin demandeur demandante 原告 上诉人", "appellant defendant beklagte beklagter défendeur demandado 被告 上诉人",
    "appellee respondent defendant beklagte beklagter défendeur intimé demandado 被告 被上诉人", "appellee plaintiff claimant kläger klägerin demandeur intimé demandante 原告 被上诉人",
    "trustee treuhänder fiduciaire fiduciario 受托人", "beneficiary begünstigter bénéficiaire beneficiario 受益人",
    "heir erbin héritier heredero 继承人", "executor testamentsvollstrecker exécuteur albacea 遗嘱执行人",
    "franchisor franchisegeber franchiseur franquiciador", "franchisee franchisenehmer franchisé franquiciado",
    "assignor zedent cédant cedente 转让方 出让方 出让人 转让人", "assignee zessionar cessionnaire cesionario 受让方 受让人",
    "consignor shipper sender absender versender expéditeur remitente 发货人 托运人", "carrier operator spediteur frachtführer transporteur transportista 承运人",
    "consignee recipient receiver empfänger destinataire destinatario 收货人 收件人",
    "applicant candidate bidder tenderer bewerber bieter candidat soumissionnaire candidato licitador solicitante 投标人 申请人 应聘者",
    "doctor physician prescriber surgeon consultant arzt ärztin médecin médico 医生 医师 الطبيب", "nurse krankenschwester pfleger infirmier enfermero 护士 护理人员",
    "pharmacist apotheker apothekerin pharmacien farmacéutico 药剂师 药师", "patient patientin paciente 患者 病人 المريض",
    "teacher lehrer lehrerin enseignant professeur profesor 教师 老师", "parent guardian eltern 家长 父母 监护人",
    "pupil student candidate child children learner schüler schülerin élève alumno 学生 儿童",
    "court tribunal judge gericht richter richterin juge juez 法院 法官 法庭",
    "authority agency regulator commission ministry behörde amt autorité autoridad 主管机关 主管部门 监管机构",
    "minister ministry government ministerium regierung ministre gouvernement ministro gobierno 部长 政府",
    "ombudsman ombudsperson bürgerbeauftragter médiateur 监察专员", "arbitrator tribunal schiedsrichter arbitre árbitro 仲裁员 仲裁庭",
    "mayor bürgermeister bürgermeisterin maire alcalde 市长", "council stadtrat gemeinderat ayuntamiento 议会 市议会 理事会",
    "committee ausschuss comité 委员会", "board director vorstand 董事会 董事", "senate senat sénat senado 参议院",
    "parliament bundestag parlement parlamento", "chair chairman chairwoman chairperson president vorsitzender vorsitzende président presidente 主席 会长 董事长",
    "secretary schriftführer schriftführerin secrétaire secretario 秘书", "treasurer schatzmeister kassier trésorier tesorero 司库 财务主管",
    "auditor prüfer wirtschaftsprüfer 审计师 核数师", "shareholder stockholder holder investor aktionär gesellschafter actionnaire accionista 股东",
    "subsidiary tochtergesellschaft filiale filial 子公司", "parent muttergesellschaft 母公司",
    "partner partnerin", "partnership",
    "licensee holder", "user customer client holder subscriber licensee operator nutzer kunde kundin client utilisateur abonné usuario cliente abonado 用户 客户 顾客", "controller verantwortlicher 控制者 数据控制者",
    "processor auftragsverarbeiter 处理者 受托处理者", "manager verwalter verwalterin gérant gerente 经理", "architect architekt architekte arquitecto 建筑师",
    "engineer ingenieur ingénieur ingeniero 工程师", "issuer emittent émetteur emisor 发行人", "investor anleger investisseur inversor 投资者 投资人",
    "甲方", "乙方", "丙方",
)  # fmt: skip
_ENDINGS = ("'s", "s'", "s", "es", "n", "en", "in", "innen", "r", "e", "a", "as")


def find_party_groups(word: str) -> frozenset[int]:
    """Return the groups of a folded word for a party in any of its forms; none for another word."""
    index = _index_groups()
    if groups := index.get(word):
        return groups
    if word.endswith("ies"):
        return index.get(f"{word[:-3]}y", frozenset())
    return next(
        (index[stem] for ending in _ENDINGS if word.endswith(ending) and (stem := word.removesuffix(ending)) in index),
        frozenset(),
    )


@lru_cache(maxsize=1)
def _index_groups() -> dict[str, frozenset[int]]:
    groups: dict[str, frozenset[int]] = {}
    for number, line in enumerate(_GROUPS):
        for word in line.split():
            groups[fold(word)] = groups.get(fold(word), frozenset()) | {number}
    return groups


@lru_cache(maxsize=1)
def build_cjk_pattern() -> re.Pattern[str]:
    """Return the pattern of the words for parties in Chinese and Japanese, which are written without spaces."""
    words = sorted((word for word in _index_groups() if is_cjk(word[0])), key=len, reverse=True)
    return re.compile("|".join(words))
