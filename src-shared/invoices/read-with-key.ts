import { type AccessKey, readAccessKey, withoutZeros } from '#shared/domain/access-keys'
import type { Invoice, InvoiceDoubt } from './invoice'
import { toDay, toInvoice } from '#shared/invoices/reading'
import { type XmlNode, localName, nodeAt, textAt } from '#shared/invoices/xml-tree'

/** The valid authorization codes: of an invoice in time, or late. */
const authorized = ['100', '150']
const cancelled = ['101', '151', '155']

const nfe = { inside: 'infNFe', protocol: 'protNFe/infProt', key: 'chNFe', number: 'nNF' }
const cte = { inside: 'infCte', protocol: 'protCTe/infProt', key: 'chCTe', number: 'nCT' }

/** Where invoices with 44-character keys have their values; `wrapper` contains the document and its authorization. */
const layouts = [
  { wrapper: 'nfeProc', document: 'NFe', ...nfe },
  { wrapper: 'cteProc', document: 'CTe', ...cte },
  { wrapper: 'cteOSProc', document: 'CTeOS', ...cte },
  { wrapper: 'cteSimpProc', document: 'CTeSimp', ...cte },
]

/** Reads an NF-e, NFC-e or CT-e, with or without its authorization; undefined for other documents. */
export function readGoods(root: XmlNode): Invoice | undefined {
  const layout = layouts.find(({ wrapper, document }) => [wrapper, document].includes(localName(root)))
  if (!layout) return undefined
  const document = localName(root) === layout.wrapper ? nodeAt(root, layout.document) : root
  const node = nodeAt(document, layout.inside)
  if (!node) return undefined
  const model = textAt(node, 'ide/mod')
  const written = {
    kind: layout.number === 'nCT' ? 'cte' : model === '65' ? 'nfce' : 'nfe',
    ...issuerOf(node),
    town: placeOf(textAt(node, 'emit/enderEmit/xMun'), textAt(node, 'emit/enderEmit/UF')),
    buyer_tax_id: layout.number === 'nCT' ? payerOfFreight(node) : taxIdAt(node, 'dest'),
    number: textAt(node, `ide/${layout.number}`),
    series: textAt(node, 'ide/serie'),
    issued: textAt(node, 'ide/dhEmi', 'ide/dEmi'),
    total: textAt(node, 'total/ICMSTot/vNF', 'vPrest/vTPrest', 'total/vTPrest'),
    ...keyOf(node),
    verification_code: undefined,
  } as const
  return toInvoice(written, [
    ...contradictions(written, model),
    ...protocolDoubts(nodeAt(root, layout.protocol), { key: written.access_key, name: layout.key }),
    ...testDoubts(textAt(node, 'ide/tpAmb')),
  ])
}

/** Reads an NFS-e of the national layout. */
export function readNationalService(node: XmlNode): Invoice {
  const declared = nodeAt(node, 'DPS/infDPS')
  const written = {
    kind: 'nfse',
    ...issuerOf(node),
    town: placeOf(textAt(node, 'xLocEmi'), textAt(node, 'emit/enderNac/UF')),
    buyer_tax_id: taxIdAt(declared, 'toma'),
    number: textAt(node, 'nNFSe'),
    series: undefined,
    issued: textAt(declared, 'dhEmi') ?? textAt(node, 'dhProc'),
    total: textAt(node, 'valores/vLiq') ?? textAt(declared, 'valores/vServPrest/vServ'),
    ...keyOf(node),
    verification_code: undefined,
  } as const
  return toInvoice(written, [...contradictions(written, null), ...testDoubts(textAt(declared, 'tpAmb'))])
}

function issuerOf(node: XmlNode): Pick<Invoice, 'supplier' | 'trade_name' | 'tax_id'> {
  return { supplier: textAt(node, 'emit/xNome'), trade_name: textAt(node, 'emit/xFant'), tax_id: textAt(node, 'emit/CNPJ', 'emit/CPF') }
}

function taxIdAt(node: XmlNode | undefined, path: string): string | undefined {
  return textAt(node, `${path}/CNPJ`, `${path}/CPF`)
}

/** The party that pays for a transport, by its code. */
const partsOfFreight = ['rem', 'exped', 'receb', 'dest']

/** The payer of a transport, if named: another party, one of the parties, or (CT-e OS, simplified) the only one. */
function payerOfFreight(node: XmlNode): string | undefined {
  const part = partsOfFreight[Number(textAt(node, 'ide/toma3/toma', 'ide/toma03/toma') ?? Number.NaN)]
  return (part && taxIdAt(node, part)) ?? taxIdAt(node, 'ide/toma4') ?? taxIdAt(node, 'toma')
}

function placeOf(...parts: ReadonlyArray<string | undefined>): string | undefined {
  return parts.filter((part) => part !== undefined).join(', ') || undefined
}

/** The access key is the element's Id without the letters before it. */
function keyOf({ attributes: { Id = '' } }: XmlNode): Pick<Invoice, 'key' | 'access_key'> {
  const text = Id.replace(/^(NFe|CTe|NFS)/, '')
  const access_key = readAccessKey(text) && text
  return { key: access_key, access_key }
}

interface Written extends Pick<Invoice, 'access_key' | 'tax_id' | 'number' | 'series'> {
  readonly issued: string | undefined
}

/** The differences between the access key and the invoice. Missing values are not differences. */
function contradictions(written: Written, model: string | null | undefined): InvoiceDoubt[] {
  const key = readAccessKey(written.access_key ?? '')
  if (!key) return ['no_key']
  const pairs: ReadonlyArray<readonly [InvoiceDoubt, string | null | undefined, string | null]> = [
    ['tax_id', isOfAuthority(key) ? undefined : written.tax_id?.padStart(14, '0'), key.tax_id],
    ['number', written.number && withoutZeros(written.number), key.number],
    ['series', written.series && withoutZeros(written.series), key.series],
    ['model', model, key.model],
    ['month', toDay(written.issued)?.slice(2, 7).replace('-', ''), key.month],
  ]
  const different = pairs.filter(([, said, keyed]) => said !== undefined && said !== keyed).map(([doubt]) => doubt)
  return [...(key.is_checked ? [] : (['check_digit'] as const)), ...different]
}

/** Whether it was issued on a tax authority's site, whose registration may be in the key instead of the seller's. */
function isOfAuthority({ model, series }: AccessKey): boolean {
  return model === '55' && Number(series) >= 890 && Number(series) <= 919
}

function protocolDoubts(protocol: XmlNode | undefined, { key, name }: { key: string | undefined; name: string }): InvoiceDoubt[] {
  const status = textAt(protocol, 'cStat') ?? ''
  const doubts: InvoiceDoubt[] = []
  if (protocol && textAt(protocol, name) !== key) doubts.push('other_protocol')
  if (cancelled.includes(status)) doubts.push('cancelled')
  else if (!authorized.includes(status)) doubts.push('unauthorized')
  return doubts
}

function testDoubts(environment: string | undefined): InvoiceDoubt[] {
  return environment === '2' ? ['test'] : []
}
