import { isCnpj, isCpf } from '#shared/domain/tax-ids'
import { type Part, type TextRow, findParts, squeeze } from '#shared/readings/rows'

/** A tax number with valid check digits, without punctuation. `isOfBuyer`: its place is a buyer's. */
export interface TaxNumber {
  readonly value: string
  readonly kind: 'cnpj' | 'cpf' | 'nif' | 'vat'
  readonly isOfBuyer: boolean
  readonly part: Part
}

const cnpj = /(?<![\dA-Z])[\dA-Z]{2}\s?[.,]?\s?[\dA-Z]{3}\s?[.,]?\s?[\dA-Z]{3}\s?[/I1l]?\s?[\dA-Z]{4}\s?-?\s?\d{2}(?!\d)/g
const cpf = /(?<!\d)\d{3}[.,]?\d{3}[.,]?\d{3}-?\d{2}(?!\d)/g
const nif = /(?<![\d/.-])(?:PT)?\s?[1256789]\d{2}\s?\d{3}\s?\d{3}(?![\d/.-])/g
const vat = /(?<![A-Z])(?:GB\s?\d{3}\s?\d{4}\s?\d{2}|ES[A-Z]\d{8}|DE\d{9}|FR\w{2}\d{9}|IT\d{11})(?!\d)/g
const buyers = /consumidor|cliente|comprador|destinatario|adquirente|customer|buyer|cpf/
const namesNif = /nif|contrib|nipc|vat/

/** Whether nine digits are a Portuguese tax number. */
export function isNif(text: string): boolean {
  if (!/^[1256789]\d{8}$/.test(text)) return false
  const rest = [...text.slice(0, 8)].reduce((sum, digit, at) => sum + Number(digit) * (9 - at), 0) % 11
  return Number(text[8]) === (rest < 2 ? 0 : 11 - rest)
}

/** The tax numbers on a receipt with valid check digits. */
export function findTaxNumbers(rows: readonly TextRow[]): TaxNumber[] {
  const bare = (text: string) => text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
  const isOfBuyer = (part: Part) =>
    buyers.test(squeeze(part.before)) || (part.before.trim() === '' && buyers.test(squeeze(rows[part.row - 1]?.text ?? '')))
  const of = (pattern: RegExp, kind: TaxNumber['kind'], isRight: (text: string, part: Part) => boolean) =>
    [...findParts(rows, pattern)].flatMap((part) => {
      const value = bare(part.match[0]).replace(kind === 'nif' ? /^PT/ : /^$/, '')
      return isRight(value, part) ? [{ value, kind, isOfBuyer: isOfBuyer(part), part }] : []
    })
  return [
    // Letters are usually an engine's mistakes: only numbers of digits are accepted.
    ...of(cnpj, 'cnpj', (text) => /^\d{14}$/.test(text) && isCnpj(text)),
    ...of(nif, 'nif', (text, part) => isNif(text) && namesNif.test(squeeze(part.before))),
    ...of(vat, 'vat', () => true),
    ...of(cpf, 'cpf', (text, part) => isCpf(text) && /cpf/.test(squeeze(part.before))),
  ]
}

/** The issuer's tax number: the only one in the first rows that is not a buyer's. */
export function findIssuer(rows: readonly TextRow[]): TaxNumber | undefined {
  const head = Math.max(8, Math.round(rows.length * 0.35))
  const found = findTaxNumbers(rows).filter(({ part, isOfBuyer, kind }) => !isOfBuyer && kind !== 'cpf' && part.row < head)
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : undefined
}
