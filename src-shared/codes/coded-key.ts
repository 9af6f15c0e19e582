import { readAccessKey, withoutZeros } from '#shared/domain/access-keys'
import { isCnpj, isCpf } from '#shared/domain/tax-ids'
import type { CodeFacts, CodedDocument } from './facts'

/** The models of documents that people claim, by their number in the key; freight manifests are not among them. */
const documents: Readonly<Partial<Record<string, CodedDocument>>> = {
  '55': 'nfe',
  '57': 'cte',
  '59': 'sat',
  '62': 'utility',
  '63': 'ticket',
  '65': 'nfce',
  '66': 'utility',
  '67': 'cte',
}

/** The IBGE numbers of federal units, with which keys begin. */
const states = new Set('11 12 13 14 15 16 17 21 22 23 24 25 26 27 28 29 31 32 33 35 41 42 43 50 51 52 53'.split(' '))

/** The values in an access key alone. */
export type KeyedFacts = Pick<CodeFacts, 'document' | 'key' | 'tax_id' | 'month' | 'number'>

/**
 * Reads an access key if every part is valid: check digit, state, month, model, and the issuer's check digits. Undefined for a misread, or other
 * text.
 */
export function readCodedKey(key: string): KeyedFacts | undefined {
  const read = readAccessKey(key)
  if (!read?.is_checked) return undefined
  const month = toMonth(read.month)
  if (month === undefined) return undefined
  if (read.model === null) return withIssuer({ document: 'nfse', key, month, number: read.number }, read.tax_id)
  const document = documents[read.model]
  if (document === undefined || !states.has(key.slice(0, 2))) return undefined
  // A SAT key has the machine's number of nine digits, then the document's of six.
  const number = document === 'sat' ? withoutZeros(key.slice(31, 37)) : read.number
  const facts = { document, key, month, number }
  return isOfAuthority(read.series) && document === 'nfe' ? { ...facts, tax_id: undefined } : withIssuer(facts, read.tax_id)
}

function withIssuer(facts: Omit<KeyedFacts, 'tax_id'>, padded: string): KeyedFacts | undefined {
  if (isCnpj(padded)) return { ...facts, tax_id: padded }
  const cpf = padded.slice(3)
  return padded.startsWith('000') && isCpf(cpf) ? { ...facts, tax_id: cpf } : undefined
}

/** Whether the document was issued on a tax authority's site: its key may name the authority, not the seller. */
function isOfAuthority(series: string | null): boolean {
  return Number(series) >= 890 && Number(series) <= 919
}

function toMonth(text: string): string | undefined {
  const month = text.slice(2)
  return month >= '01' && month <= '12' ? `20${text.slice(0, 2)}-${month}` : undefined
}
