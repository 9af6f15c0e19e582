import { isCurrency } from '#shared/domain/currencies'
import type { Invoice } from './invoice'
import { toDay, toMinor } from '#shared/invoices/reading'
import { type XmlNode, localName, nodeAt, textAt } from '#shared/invoices/xml-tree'

/** EN 16931 invoices by type (UNTDID 1001); credit notes and others claim nothing. */
const invoiceTypes = new Set([
  '80',
  '82',
  '84',
  '326',
  '380',
  '383',
  '384',
  '386',
  '388',
  '389',
  '393',
  '395',
  '575',
  '623',
  '751',
  '780',
  '875',
  '876',
  '877',
])

/** The values that both syntaxes have. */
interface Written {
  readonly type: string | undefined
  readonly supplier: string | undefined
  readonly trade_name: string | undefined
  readonly tax_id: string | undefined
  readonly town: string | undefined
  readonly buyer_tax_id: string | undefined
  readonly number: string | undefined
  readonly issued: string | undefined
  readonly currency: string | undefined
  readonly total: XmlNode | undefined
  /** What is added to the total, or with a minus taken off, to round what is paid. */
  readonly rounding: string | undefined
}

/** Reads an EN 16931 invoice: CII, as in Factur-X, ZUGFeRD and XRechnung, or UBL, as in Peppol; undefined for other documents. */
export function readEuropean(root: XmlNode): Invoice | undefined {
  if (localName(root) === 'CrossIndustryInvoice') return toInvoice(readCii(root))
  if (localName(root) === 'Invoice' && nodeAt(root, 'AccountingSupplierParty')) return toInvoice(readUbl(root))
  return undefined
}

function toInvoice({ type, issued, total, rounding, currency = '', ...written }: Written): Invoice | undefined {
  if (type === undefined || !invoiceTypes.has(type)) return undefined
  // The amount may name its currency; a total in another one, such as the tax's, does not count.
  const isOwn = [undefined, currency].includes(total?.attributes.currencyID)
  const total_minor = isCurrency(currency) && isOwn ? roundedTotal(total?.text, rounding, currency) : undefined
  const { tax_id, number } = written
  const issued_on = toDay(issued)
  return {
    ...written,
    kind: 'en16931',
    series: undefined,
    issued_on,
    total_minor,
    currency,
    access_key: undefined,
    verification_code: undefined,
    key: tax_id === undefined || number === undefined ? undefined : `EN ${tax_id} ${number}`.slice(0, mostOfKey),
    doubts: total_minor === undefined ? ['total'] : [],
  }
}

const mostOfKey = 200

/** What an invoice costs: its total with its rounding. What was paid before does not matter to that. */
function roundedTotal(total: string | undefined, rounding: string | undefined, currency: string): number | undefined {
  const [exact, apart] = [toMinor(total, currency), toMinor(rounding?.replace(/^-/, '') ?? '0', currency)]
  if (exact === undefined || apart === undefined) return undefined
  return rounding?.startsWith('-') === true ? exact - apart : exact + apart
}

function readCii(root: XmlNode): Written {
  const head = nodeAt(root, 'ExchangedDocument')
  const agreement = nodeAt(root, 'SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement')
  const settlement = nodeAt(root, 'SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement')
  const [seller, buyer] = [nodeAt(agreement, 'SellerTradeParty'), nodeAt(agreement, 'BuyerTradeParty')]
  const day = /^(\d{4})(\d\d)(\d\d)$/.exec(textAt(head, 'IssueDateTime/DateTimeString') ?? '')
  return {
    type: textAt(head, 'TypeCode'),
    supplier: textAt(seller, 'Name'),
    trade_name: textAt(seller, 'SpecifiedLegalOrganization/TradingBusinessName'),
    tax_id: registered(seller) ?? textAt(seller, 'SpecifiedLegalOrganization/ID'),
    town: textAt(seller, 'PostalTradeAddress/CityName'),
    buyer_tax_id: registered(buyer),
    number: textAt(head, 'ID'),
    issued: day?.slice(1).join('-'),
    currency: textAt(settlement, 'InvoiceCurrencyCode'),
    total: nodeAt(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation/GrandTotalAmount'),
    rounding: textAt(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation/RoundingAmount'),
  }
}

/** A party's VAT number, otherwise its tax office number. */
function registered(party: XmlNode | undefined): string | undefined {
  const ids = (party?.children ?? [])
    .filter((child) => localName(child) === 'SpecifiedTaxRegistration')
    .flatMap((one) => nodeAt(one, 'ID') ?? [])
  return toNumber((ids.find(({ attributes }) => attributes.schemeID === 'VA') ?? ids[0])?.text)
}

function readUbl(root: XmlNode): Written {
  const [seller, buyer] = [nodeAt(root, 'AccountingSupplierParty/Party'), nodeAt(root, 'AccountingCustomerParty/Party')]
  return {
    type: textAt(root, 'InvoiceTypeCode'),
    supplier: textAt(seller, 'PartyLegalEntity/RegistrationName', 'PartyName/Name'),
    trade_name: textAt(seller, 'PartyName/Name'),
    tax_id: toNumber(textAt(seller, 'PartyTaxScheme/CompanyID', 'PartyLegalEntity/CompanyID')),
    town: textAt(seller, 'PostalAddress/CityName'),
    buyer_tax_id: toNumber(textAt(buyer, 'PartyTaxScheme/CompanyID')),
    number: textAt(root, 'ID'),
    issued: textAt(root, 'IssueDate'),
    currency: textAt(root, 'DocumentCurrencyCode'),
    total: nodeAt(root, 'LegalMonetaryTotal/TaxInclusiveAmount'),
    rounding: textAt(root, 'LegalMonetaryTotal/PayableRoundingAmount'),
  }
}

function toNumber(text: string | undefined): string | undefined {
  return text?.replaceAll(/[\s.-]/g, '').toUpperCase() || undefined
}
