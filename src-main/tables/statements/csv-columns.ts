import type { MappedColumn, StatementMapping } from '#shared/domain/statements/mapping'
import { toHeaderWords } from '../header-words'
import type { Table } from '../read-table'

/** Column names of statements by meaning in English, Portuguese and Spanish, most specific first, in the form of `toHeaderWords`. */
const words: Readonly<Record<MappedColumn, readonly string[]>> = {
  day: [
    'transaction date',
    'data da compra',
    'data compra',
    'data transacao',
    'data movimento',
    'fecha de compra',
    'date',
    'data',
    'fecha',
    'posting date',
    'posted date',
    'completed date',
    'data lancamento',
    'data do lancamento',
    'data mov',
    'booking date',
    'dia',
  ],
  debit: [
    'debit',
    'debit amount',
    'debito',
    'debitos',
    'debe',
    'cargo',
    'cargos',
    'paid out',
    'money out',
    'withdrawal',
    'saida',
    'saidas',
  ],
  credit: [
    'credit',
    'credit amount',
    'credito',
    'creditos',
    'haber',
    'abono',
    'abonos',
    'paid in',
    'money in',
    'deposit',
    'entrada',
    'entradas',
  ],
  original_amount: [
    'original amount',
    'foreign amount',
    'valor original',
    'valor em us',
    'valor em dolar',
    'valor usd',
    'importe original',
    'amount in foreign currency',
  ],
  original_currency: ['original currency', 'foreign currency', 'moeda original', 'moeda de origem', 'moneda original', 'local currency'],
  amount: [
    'amount',
    'valor',
    'importe',
    'montante',
    'billing amount',
    'valor em r',
    'valor r',
    'valor brl',
    'amount brl',
    'amount usd',
    'amount eur',
    'monto',
    'total',
    'value',
    'quantia',
  ],
  currency: ['currency', 'moeda', 'moneda', 'billing currency', 'divisa'],
  reference: [
    'reference',
    'transaction id',
    'fitid',
    'id',
    'identificador',
    'referencia',
    'reference number',
    'numero do documento',
    'documento',
    'autorizacao',
    'codigo',
  ],
  text: [
    'description',
    'descricao',
    'descripcion',
    'merchant',
    'estabelecimento',
    'lancamento',
    'historico',
    'concepto',
    'comercio',
    'payee',
    'title',
    'titulo',
    'details',
    'detalhes',
    'memo',
    'name',
    'narrative',
    'transaction',
    'appears on your statement as',
    'descritivo',
    'movimento',
  ],
}
/** Specific ones first: a column is used once. */
const order = [
  'original_amount',
  'original_currency',
  'day',
  'debit',
  'credit',
  'amount',
  'currency',
  'text',
  'reference',
] as const satisfies readonly MappedColumn[]

/** The columns of a delimited statement: stated ones that exist, otherwise by name, otherwise by content. */
export function guessColumns({ headers, entries }: Table, stated: StatementMapping): StatementMapping {
  const isThere = (name: string | undefined) => name !== undefined && headers.includes(name)
  const { text, date_order: _order, decimal: _decimal, spent: _spent, ...single } = stated
  const kept = Object.fromEntries(Object.entries(single).filter(([, name]) => isThere(name)))
  const texts = text?.filter(isThere) ?? []
  const used = new Set<string>([...Object.values(kept), ...texts])
  const found: Record<string, string> = { ...kept }
  const named = headers.map((header) => [header, toHeaderWords(header)] as const)
  const hasMoney = ['amount', 'debit', 'credit'].some((name) => name in kept)
  for (const field of order) {
    if (field in found || (field === 'text' && texts.length > 0)) continue
    if (hasMoney && (field === 'amount' || field === 'debit' || field === 'credit')) continue
    if (field === 'amount' && 'debit' in found && 'credit' in found) continue
    const [name] = words[field].flatMap((word) => named.find(([header, text]) => !used.has(header) && fits(text, word))?.[0] ?? [])
    if (name === undefined) continue
    found[field] = name
    used.add(name)
  }
  const { text: textColumn, ...rest } = found
  const known = texts.length > 0 ? texts : textColumn === undefined ? [] : [textColumn]
  return guessByValues({ headers, entries }, { ...rest, text: known }, used)
}

const fits = (header: string, word: string) => header === word || (word.length > 5 && header.startsWith(`${word} `))

/** For columns without known names: the first with days, the last with amounts, the longest texts. */
function guessByValues(
  { headers, entries }: Pick<Table, 'headers' | 'entries'>,
  mapping: StatementMapping,
  used: ReadonlySet<string>,
): StatementMapping {
  const rows: Record<string, string>[] = []
  for (const entry of entries()) {
    if (entry.kind === 'row') rows.push(entry.fields)
    if (rows.length === 50) break
  }
  const free = headers.filter((name) => !used.has(name))
  const most = (name: string, test: (text: string) => boolean) =>
    rows.length > 0 && rows.filter((row) => test((row[name] ?? '').trim())).length * 10 >= rows.length * 9
  const isDay = (text: string) => /^(\d{4}[/.-]\d{1,2}[/.-]\d{1,2}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{8})\b/.test(text)
  const isAmount = (text: string) => !isDay(text) && /^[-+]?\d[\d.,\s]*[.,]\d{1,3}$/.test(toNumberText(text))
  const day = mapping.day ?? free.find((name) => most(name, isDay))
  const hasMoney = mapping.amount !== undefined || mapping.debit !== undefined || mapping.credit !== undefined
  const amount = hasMoney ? mapping.amount : free.findLast((name) => name !== day && most(name, isAmount))
  const texts = mapping.text?.length
    ? mapping.text
    : longestText(
        free.filter((name) => name !== day && name !== amount),
        rows,
      )
  return { ...mapping, ...(day !== undefined && { day }), ...(amount !== undefined && { amount }), text: texts }
}

function longestText(names: readonly string[], rows: ReadonlyArray<Record<string, string>>): string[] {
  const lengths = names.map(
    (name) => [name, rows.reduce((sum, row) => sum + (row[name] ?? '').replaceAll(/[^\p{L}]/gu, '').length, 0)] as const,
  )
  const [best] = lengths.toSorted(([, one], [, other]) => other - one)
  return best && best[1] > 0 ? [best[0]] : []
}

/** Writes days such as `2026-03-04`, `04/03/2026`, `04/03/26` and `20260304` with a four-digit year. */
export function toDayText(text: string): string {
  const compact = /^(\d{4})(\d\d)(\d\d)$/.exec(text.trim())
  if (compact) return compact.slice(1).join('-')
  return text.trim().replace(/^(\d{1,2})([/.-])(\d{1,2})\2(\d{2})(?!\d)/, '$1$2$3$220$4')
}

/** An amount without currency signs: `R$ 1.234,50`, `(12.00)`, `12,00-`, `12,00 D`. */
export function toNumberText(text: string): string {
  const plain = text
    .replaceAll(/[\u2212\u2012\u2013]/g, '-')
    .replaceAll('\u00A0', ' ')
    .trim()
  const isNegative = /^\(.*\)$/.test(plain) || /-\s*$/.test(plain) || /\d\s*DR?$/i.test(plain) || /^[^\d]*-/.test(plain)
  const digits = plain
    .replaceAll(/[^\d.,'\s]/g, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
  return isNegative ? `-${digits}` : digits
}
