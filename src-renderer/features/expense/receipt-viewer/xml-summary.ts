import { localName, nodeAt, textAt, type XmlNode } from './xml-tree'

/** The Brazilian fiscal documents that are recognised. */
export type FiscalKind = 'nfe' | 'nfce' | 'cte' | 'nfse'

/** What a fiscal document says in short. `issued_at`: as written, ISO 8601 with an offset, or a date. `total` in reais. */
export type FiscalSummary = {
  readonly kind: FiscalKind
  readonly supplier: string | undefined
  readonly tax_id: string | undefined
  readonly number: string | undefined
  readonly issued_at: string | undefined
  readonly total: number | undefined
  readonly access_key: string | undefined
}

/** The summary of an NF-e, NFC-e, CT-e or NFS-e (national layout or ABRASF); undefined for any other document. */
export function summarize(root: XmlNode): FiscalSummary | undefined {
  const nfe = nodeAt(root, 'infNFe')
  if (nfe) return summarizeGoods(nfe)
  const cte = nodeAt(root, 'infCte') ?? nodeAt(root, 'infCTe')
  if (cte) return summarizeTransport(cte)
  const national = nodeAt(root, 'infNFSe')
  if (national) return summarizeService(national)
  const municipal = nodeAt(root, 'InfNfse')
  return municipal && summarizeMunicipalService(municipal)
}

function summarizeGoods(node: XmlNode): FiscalSummary {
  return {
    kind: textAt(node, 'ide/mod') === '65' ? 'nfce' : 'nfe',
    ...issuerOf(node),
    number: textAt(node, 'ide/nNF'),
    issued_at: textAt(node, 'ide/dhEmi', 'ide/dEmi'),
    total: amountOf(textAt(node, 'total/ICMSTot/vNF')),
    access_key: keyOf(node),
  }
}

function summarizeTransport(node: XmlNode): FiscalSummary {
  return {
    kind: 'cte',
    ...issuerOf(node),
    number: textAt(node, 'ide/nCT'),
    issued_at: textAt(node, 'ide/dhEmi'),
    total: amountOf(textAt(node, 'vPrest/vTPrest')),
    access_key: keyOf(node),
  }
}

function summarizeService(node: XmlNode): FiscalSummary {
  return {
    kind: 'nfse',
    ...issuerOf(node),
    number: textAt(node, 'nNFSe'),
    issued_at: textAt(node, 'infDPS/dhEmi', 'dhProc'),
    total: amountOf(textAt(node, 'infNFSe/valores/vLiq', 'valores/vServPrest/vServ')),
    access_key: keyOf(node),
  }
}

function summarizeMunicipalService(node: XmlNode): FiscalSummary {
  const provider = nodeAt(node, 'PrestadorServico') ?? nodeAt(node, 'Prestador') ?? node
  return {
    kind: 'nfse',
    supplier: textAt(provider, 'RazaoSocial', 'NomeFantasia'),
    tax_id: textAt(provider, 'Cnpj', 'Cpf'),
    number: textAt(node, 'InfNfse/Numero'),
    issued_at: textAt(node, 'DataEmissao'),
    total: amountOf(textAt(node, 'ValorServicos', 'ValorLiquidoNfse')),
    access_key: textAt(node, 'CodigoVerificacao'),
  }
}

function issuerOf(node: XmlNode): Pick<FiscalSummary, 'supplier' | 'tax_id'> {
  return { supplier: textAt(node, 'emit/xNome', 'emit/xFant'), tax_id: textAt(node, 'emit/CNPJ', 'emit/CPF') }
}

/** The access key is the element's Id without the letters before it. */
function keyOf(node: XmlNode): string | undefined {
  const id = node.attributes.Id ?? node.attributes.id ?? ''
  return /\d{44,50}$/.exec(id)?.[0] ?? (localName(node) === 'infNFSe' ? id || undefined : undefined)
}

function amountOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** A tax id as it is written: 14 digits of a company, 11 of a person; anything else as it is. */
export function formatTaxId(tax_id: string): string {
  return tax_id
    .replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\d{2})$/, '$1.$2.$3/$4-$5')
    .replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
}

/** An access key in groups of four, as it stands on the paper. */
export function formatAccessKey(access_key: string): string {
  return /^\d{44,50}$/.test(access_key) ? access_key.replace(/(\d{4})(?=\d)/g, '$1 ') : access_key
}
