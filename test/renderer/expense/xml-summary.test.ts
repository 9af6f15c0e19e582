import { describe, expect, test } from 'vitest'
import { formatAccessKey, formatTaxId, summarize } from '../../../src-renderer/features/expense/receipt-viewer/xml-summary'
import { toLines } from '../../../src-renderer/features/expense/receipt-viewer/xml-tree'
import { parseXml } from './parse-xml'

const key = '53260112345678000195550010000045121000045127'

function invoice(mod: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
    <nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe Id="NFe${key}" versao="4.00">
      <ide><mod>${mod}</mod><nNF>4512</nNF><dhEmi>2026-01-04T13:22:10-03:00</dhEmi></ide>
      <emit><CNPJ>12345678000195</CNPJ><xNome>RESTAURANTE BOA MESA &amp; CIA</xNome></emit>
      <dest><CNPJ>00530279000115</CNPJ><xNome>SENADO FEDERAL</xNome></dest>
      <total><ICMSTot><vProd>230.00</vProd><vNF>210.00</vNF></ICMSTot></total>
    </infNFe></NFe></nfeProc>`
}

describe('a fiscal document in short', () => {
  test('an NF-e gives its issuer, not its recipient, and what is to be paid', () => {
    expect(summarize(parseXml(invoice('55')))).toEqual({
      kind: 'nfe',
      supplier: 'RESTAURANTE BOA MESA & CIA',
      tax_id: '12345678000195',
      number: '4512',
      issued_at: '2026-01-04T13:22:10-03:00',
      total: 210,
      access_key: key,
    })
  })

  test('an NFC-e is told from an NF-e by its model', () => {
    expect(summarize(parseXml(invoice('65')))?.kind).toBe('nfce')
  })

  test('a CT-e gives what the transport costs', () => {
    const xml = `<cteProc><CTe><infCte Id="CTe${key}"><ide><nCT>77</nCT><dhEmi>2026-02-01T08:00:00-03:00</dhEmi></ide>
      <emit><CNPJ>11222333000181</CNPJ><xNome>EXPRESSO SUL</xNome></emit><vPrest><vTPrest>88.40</vTPrest></vPrest></infCte></CTe></cteProc>`
    expect(summarize(parseXml(xml))).toMatchObject({
      kind: 'cte',
      supplier: 'EXPRESSO SUL',
      number: '77',
      total: 88.4,
      access_key: key,
    })
  })

  test('a national NFS-e gives the net amount of the invoice', () => {
    const id = `NFS${key}123456`
    const xml = `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"><infNFSe Id="${id}"><nNFSe>9</nNFSe><emit><CNPJ>11222333000181</CNPJ><xNome>HOTEL NACIONAL</xNome></emit>
      <valores><vLiq>480.00</vLiq></valores><DPS><infDPS><dhEmi>2026-01-03T10:00:00-03:00</dhEmi></infDPS></DPS></infNFSe></NFSe>`
    expect(summarize(parseXml(xml))).toMatchObject({
      kind: 'nfse',
      supplier: 'HOTEL NACIONAL',
      number: '9',
      total: 480,
      access_key: `${key}123456`,
      issued_at: '2026-01-03T10:00:00-03:00',
    })
  })

  test('a municipal NFS-e (ABRASF) is read with or without a namespace prefix', () => {
    const xml = `<ns2:CompNfse xmlns:ns2="http://www.abrasf.org.br/nfse.xsd"><ns2:Nfse><ns2:InfNfse><ns2:Numero>1203</ns2:Numero><ns2:CodigoVerificacao>AB12-CD34</ns2:CodigoVerificacao>
      <ns2:DataEmissao>2026-01-03T10:00:00</ns2:DataEmissao><ns2:Servico><ns2:Valores><ns2:ValorServicos>150.00</ns2:ValorServicos></ns2:Valores></ns2:Servico>
      <ns2:PrestadorServico><ns2:IdentificacaoPrestador><ns2:Cnpj>11222333000181</ns2:Cnpj></ns2:IdentificacaoPrestador><ns2:RazaoSocial>OFICINA LTDA</ns2:RazaoSocial></ns2:PrestadorServico></ns2:InfNfse></ns2:Nfse></ns2:CompNfse>`
    expect(summarize(parseXml(xml))).toEqual({
      kind: 'nfse',
      supplier: 'OFICINA LTDA',
      tax_id: '11222333000181',
      number: '1203',
      issued_at: '2026-01-03T10:00:00',
      total: 150,
      access_key: 'AB12-CD34',
    })
  })

  test('a document without amounts or names gives what it has', () => {
    expect(
      summarize(parseXml('<NFe><infNFe Id="NFe1"><total><ICMSTot><vNF>abc</vNF></ICMSTot></total></infNFe></NFe>')),
    ).toMatchObject({ kind: 'nfe', supplier: undefined, total: undefined, access_key: undefined })
  })

  test('any other XML is not summed up', () => {
    expect(summarize(parseXml('<catalog><item>1</item></catalog>'))).toBeUndefined()
  })
})

test('tax ids and access keys are written as on paper', () => {
  expect(formatTaxId('12345678000195')).toBe('12.345.678/0001-95')
  expect(formatTaxId('12345678909')).toBe('123.456.789-09')
  expect(formatTaxId('X1')).toBe('X1')
  expect(formatAccessKey(key)).toBe('5326 0112 3456 7800 0195 5500 1000 0045 1210 0004 5127')
  expect(formatAccessKey('AB12-CD34')).toBe('AB12-CD34')
})

test('a document is laid out line by line, up to a limit', () => {
  const root = parseXml('<a x="1"><b>text</b><c><d/></c></a>')
  expect(toLines(root, 10)).toEqual([
    { depth: 0, name: 'a', attributes: 'x="1"', text: '' },
    { depth: 1, name: 'b', attributes: '', text: 'text' },
    { depth: 1, name: 'c', attributes: '', text: '' },
    { depth: 2, name: 'd', attributes: '', text: '' },
  ])
  expect(toLines(root, 2)).toHaveLength(2)
})
