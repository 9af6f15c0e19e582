import type { Invoice } from './invoice'
import { readEuropean } from './read-european'
import { readGoods, readNationalService } from './read-with-key'
import { toInvoice } from './reading'
import { type XmlNode, nodeAt, nodesNamed, textAt } from './xml-tree'

const mostOfKey = 200

/** Reads an NFS-e in the ABRASF layout, whatever wrapper the town uses; issuer, number and verification code identify it. */
function readMunicipalService(root: XmlNode, node: XmlNode): Invoice {
  const declared = nodeAt(node, 'DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico')
  const provider = nodeAt(node, 'PrestadorServico') ?? nodeAt(declared, 'Prestador')
  const tax_id = [provider, nodeAt(declared, 'Prestador')]
    .flatMap((place) => (place ? [...nodesNamed(place, 'Cnpj'), ...nodesNamed(place, 'Cpf')] : []))
    .find(({ text }) => text !== '')?.text
  const buyer = nodeAt(node, 'TomadorServico') ?? nodeAt(declared, 'TomadorServico') ?? nodeAt(declared, 'Tomador')
  const number = textAt(node, 'Numero')
  const verification_code = textAt(node, 'CodigoVerificacao')
  const parts = [textAt(node, 'OrgaoGerador/CodigoMunicipio') ?? '', tax_id, number, verification_code]
  const key = ['NFS-e', ...parts].join(' ')
  const isCancelled = ['NfseCancelamento', 'Cancelamento'].some((name) => nodesNamed(root, name).length > 0)
  return toInvoice(
    {
      kind: 'nfse',
      supplier: textAt(provider, 'RazaoSocial'),
      trade_name: textAt(provider, 'NomeFantasia'),
      tax_id,
      town: undefined,
      buyer_tax_id: textAt(buyer, 'IdentificacaoTomador/CpfCnpj/Cnpj', 'IdentificacaoTomador/CpfCnpj/Cpf'),
      number,
      series: undefined,
      issued: textAt(node, 'DataEmissao'),
      total:
        textAt(node, 'ValoresNfse/ValorLiquidoNfse', 'Servico/Valores/ValorLiquidoNfse', 'Servico/Valores/ValorServicos') ??
        textAt(declared, 'Servico/Valores/ValorServicos'),
      access_key: undefined,
      verification_code,
      key: parts.every((part) => part !== undefined) && key.length <= mostOfKey ? key : undefined,
    },
    isCancelled ? ['cancelled'] : [],
  )
}

/**
 * Reads the electronic invoice in an XML document: EN 16931 (CII or UBL), or Brazilian: NF-e, NFC-e, CT-e (also CT-e OS and the simplified one),
 * NFS-e in the national or ABRASF layout. Undefined for other documents: events such as a cancellation, and lists of several invoices.
 */
export function readInvoice(root: XmlNode): Invoice | undefined {
  const goods = readGoods(root) ?? readEuropean(root)
  if (goods) return goods
  const [national, ...others] = nodesNamed(root, 'infNFSe')
  const [municipal, ...more] = nodesNamed(root, 'InfNfse')
  if (national && !municipal && others.length === 0) return readNationalService(national)
  if (municipal && !national && more.length === 0) return readMunicipalService(root, municipal)
  return undefined
}
