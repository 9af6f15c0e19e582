import { checkDigitOf } from '#shared/domain/modulo-11'

/** A CNPJ of an invented company, by its first twelve characters. */
export function makeCnpj(base: string): string {
  const first = base + checkDigitOf(base)
  return first + checkDigitOf(first)
}

/** What an invented invoice says; what is left out is as on any other. */
export interface InvoiceParts {
  readonly cnpj?: string
  readonly name?: string
  readonly model?: string
  readonly series?: string
  readonly number?: string
  readonly issued?: string
  readonly total?: string
  readonly key?: string
  readonly environment?: string
  /** The state of the authorization; null: there is none in the file. */
  readonly status?: string | null
  readonly encoding?: string
}

const anyCnpj = makeCnpj('112223330001')

/** The access key that an NF-e, NFC-e or CT-e with these parts has. */
export function makeKey(parts: InvoiceParts = {}): string {
  const { cnpj = anyCnpj, model = '55', series = '1', number = '4512', issued = '2026-01-04T13:22:10-03:00' } = parts
  const month = issued.slice(2, 7).replace('-', '')
  const body = `35${month}${cnpj.padStart(14, '0')}${model}${series.padStart(3, '0')}${number.padStart(9, '0')}110045127`
  return body + checkDigitOf(body)
}

function headOf({ encoding = 'UTF-8' }: InvoiceParts): string {
  return `<?xml version="1.0" encoding="${encoding}"?>`
}

function issuerOf({ cnpj = anyCnpj, name = 'Cantina Boa Mesa Ltda' }: InvoiceParts): string {
  const registration = cnpj.length === 11 ? `<CPF>${cnpj}</CPF>` : `<CNPJ>${cnpj}</CNPJ>`
  return `<emit>${registration}<xNome>${name}</xNome><enderEmit><xMun>Campinas</xMun><UF>SP</UF></enderEmit></emit>`
}

function protocolOf(parts: InvoiceParts, names: { element: string; key: string }): string {
  const { status = '100', key = makeKey(parts) } = parts
  if (status === null) return ''
  return `<${names.element}><infProt><${names.key}>${key}</${names.key}><cStat>${status}</cStat></infProt></${names.element}>`
}

/** An NF-e, or with `model` 65 an NFC-e. */
export function goodsInvoice(parts: InvoiceParts = {}): string {
  const { model = '55', series = '1', number = '4512', issued = '2026-01-04T13:22:10-03:00', total = '210.00' } = parts
  const { key = makeKey(parts), environment = '1' } = parts
  return `${headOf(parts)}<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe Id="NFe${key}" versao="4.00">
    <ide><cUF>35</cUF><mod>${model}</mod><serie>${series}</serie><nNF>${number}</nNF><dhEmi>${issued}</dhEmi><tpAmb>${environment}</tpAmb></ide>
    ${issuerOf(parts)}<dest><CNPJ>${makeCnpj('998887770001')}</CNPJ><xNome>Comprador SA</xNome></dest>
    <total><ICMSTot><vProd>230.00</vProd><vNF>${total}</vNF></ICMSTot></total>
    </infNFe></NFe>${protocolOf(parts, { element: 'protNFe', key: 'chNFe' })}</nfeProc>`
}

/** A CT-e, or with `model` 67 a CT-e OS. */
export function transportInvoice(given: InvoiceParts = {}): string {
  const parts = { model: '57', ...given }
  const { model, series = '1', number = '4512', issued = '2026-01-04T13:22:10-03:00', total = '88.40' } = parts
  const { key = makeKey(parts) } = parts
  const name = model === '67' ? 'CTeOS' : 'CTe'
  const wrapper = model === '67' ? 'cteOSProc' : 'cteProc'
  return `${headOf(parts)}<${wrapper} xmlns="http://www.portalfiscal.inf.br/cte" versao="4.00"><${name}><infCte Id="CTe${key}">
    <ide><mod>${model}</mod><serie>${series}</serie><nCT>${number}</nCT><dhEmi>${issued}</dhEmi><tpAmb>1</tpAmb></ide>
    ${issuerOf(parts)}<vPrest><vTPrest>${total}</vTPrest></vPrest></infCte></${name}>${protocolOf(parts, { element: 'protCTe', key: 'chCTe' })}</${wrapper}>`
}

/** The access key of an NFS-e of the national layout. */
export function makeServiceKey({ cnpj = anyCnpj, number = '9' }: InvoiceParts = {}): string {
  const body = `350950222${cnpj}${number.padStart(13, '0')}2601000045127`
  return body + checkDigitOf(body)
}

/** An NFS-e of the national layout. */
export function nationalService(parts: InvoiceParts = {}): string {
  const { number = '9', issued = '2026-01-03T10:00:00-03:00', total = '480.00', key = makeServiceKey(parts) } = parts
  return `${headOf(parts)}<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.00"><infNFSe Id="NFS${key}"><xLocEmi>Campinas</xLocEmi><nNFSe>${number}</nNFSe>
    ${issuerOf(parts)}<valores><vLiq>${total}</vLiq></valores><DPS><infDPS><tpAmb>1</tpAmb><dhEmi>${issued}</dhEmi>
    <valores><vServPrest><vServ>500.00</vServ></vServPrest></valores></infDPS></DPS></infNFSe></NFSe>`
}

/** An NFS-e of a town, in the ABRASF layout; `prefix` such as `ns2:`, none, or a default namespace. */
export function municipalService({ cnpj = anyCnpj, number = '1203', total = '150.00' }: InvoiceParts = {}, prefix = ''): string {
  const name = (text: string) => `${prefix}${text}`
  const element = (text: string, inside: string) => `<${name(text)}>${inside}</${name(text)}>`
  const values = element('ValoresNfse', element('ValorLiquidoNfse', total))
  const provider =
    element('IdentificacaoPrestador', element('CpfCnpj', element('Cnpj', cnpj))) + element('RazaoSocial', 'Oficina Dois Irmãos Ltda')
  const inside = [
    element('Numero', number) + element('CodigoVerificacao', 'AB12-CD34') + element('DataEmissao', '2026-01-03T10:00:00'),
    values + element('PrestadorServico', provider) + element('OrgaoGerador', element('CodigoMunicipio', '3509502')),
  ].join('')
  const root = prefix === '' ? '<CompNfse>' : `<${name('CompNfse')} xmlns:${prefix.slice(0, -1)}="http://www.abrasf.org.br/nfse.xsd">`
  return `${headOf({})}${root}${element('Nfse', element('InfNfse', inside))}</${name('CompNfse')}>`
}

/** The event that cancels an NF-e: it names the invoice and is none. */
export function cancellation(): string {
  return `${headOf({})}<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe"><evento><infEvento><chNFe>${makeKey()}</chNFe><tpEvento>110111</tpEvento></infEvento></evento></procEventoNFe>`
}
