import { createHash } from 'node:crypto'
import { perName } from '#shared/contract/attributes'
import { purposeOf } from '#shared/domain/suppliers/purchase'
import { unguardFormula } from '#shared/domain/csv-cell'
import { type ImportedText, importedTexts } from '#shared/records/expense'
import { columnsOfPart } from './column-map'
import type { ColumnMap, ColumnSource } from './column-map'
import { parseDay, parseDecimal } from './detect-values'
import type { DetectedValues } from './detect-values'
import { DigestMap, toKey } from './digest-map'
import type { Table, TableProblem, TableRow } from './read-table'
import type { TableReason } from './table-reason'
import { toTagNames } from './tag-cell'

/**
 * An expense in a file. `amount` is a canonical decimal in `currency`, whose decimals and sign are not checked here; `occurred_at` is a day,
 * `YYYY-MM-DD`; `line` is where the row starts in the file.
 */
export interface ImportRow extends Readonly<Partial<Record<ImportedText, string>>> {
  kind: 'row'
  line: number
  receiver_name: string
  receiver_email?: string
  tag_names: string[]
  occurred_at: string
  amount: string
  currency?: string
  description: string
  external_id: string
  /** Whether the file itself has the `external_id`, so that a later file may have other values for it. */
  has_own_id: boolean
  /** Whether an earlier row had the same identity and values: it is the same expense. */
  is_repeated?: boolean
}

type RowValues = Omit<ImportRow, 'external_id' | 'has_own_id' | 'is_repeated'>
/** A row, and the values that identify it, including all parts of its description. */
type ReadRow = { readonly values: RowValues; readonly known: RowValues }

/** Joins the parts of a description. */
const JOINT = ' · '

/**
 * Converts a table's rows into expenses, in file order. A row that cannot be read completely yields its problems, one per column. Names and texts
 * stay unchanged, except for surrounding spaces.
 *
 * `external_id` is the mapped column's value, otherwise a SHA-256 of the row's values and the number of equal rows before it: so equal rows are all
 * imported, but none again when the file is imported again. An identity that is repeated with other values is a problem; with the same values it is
 * the same row.
 */
export function* toImportRows(table: Table, map: ColumnMap, detected: DetectedValues): Generator<ImportRow | TableProblem> {
  const occurrences = new DigestMap(1)
  /** The line where an identity first appears, and two words of its values' digest. */
  const firstRows = new DigestMap(3)
  for (const entry of table.entries()) {
    if (entry.kind === 'problem') {
      yield entry
      continue
    }
    const read = readValues(entry, map, detected)
    if (Array.isArray(read)) {
      yield* read
      continue
    }
    const { values, known } = read
    const column = map.columns.external_id
    const external_id = column === undefined ? '' : readCell(entry, column)
    if (column === undefined || external_id === '') {
      yield { ...values, external_id: numbered(digestOf(known, identifying), occurrences), has_own_id: false }
      continue
    }
    const ofId = sha256(external_id)
    const [ofValues = 0, moreOfValues = 0] = toKey(digestOf(known, added))
    const [first = 0, ...ofFirst] = firstRows.get(ofId)
    const is_repeated = first > 0 && ofFirst[0] === ofValues && ofFirst[1] === moreOfValues
    if (first > 0 && !is_repeated) {
      const reason = { code: 'repeated_id', params: { id: external_id, line: first } }
      yield { kind: 'problem', line: entry.line, column, reason }
      continue
    }
    if (first === 0) firstRows.set(ofId, [entry.line, ofValues, moreOfValues])
    yield { ...values, external_id, has_own_id: true, ...(is_repeated && { is_repeated }) }
  }
}

function readValues(row: TableRow, map: ColumnMap, detected: DetectedValues): ReadRow | TableProblem[] {
  const { columns } = map
  const problems: TableProblem[] = []
  const refuse = (column: ColumnSource, reason: TableReason): void => {
    problems.push({ kind: 'problem', line: row.line, column: typeof column === 'string' ? column : null, reason })
  }
  const receiver_name = readSource(row, columns.receiver)
  if (receiver_name === '') refuse(columns.receiver, { code: 'empty' })
  const dayText = readCell(row, columns.occurred_at)
  const occurred_at = parseDay(dayText, detected.date_order)
  if (occurred_at === undefined) refuse(columns.occurred_at, whyNot(dayText, { code: 'not_a_day', params: { order: detected.date_order } }))
  const amountText = readCell(row, columns.amount)
  const marked = splitCurrency(amountText)
  const amount = parseDecimal(marked.number, detected.decimal)
  if (amount === undefined) refuse(columns.amount, whyNot(amountText, { code: 'not_an_amount', params: { sign: detected.decimal } }))
  const stated = readSource(row, columns.currency).toUpperCase()
  const currency = stated || marked.currency || map.currency
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
    refuse(columns.currency ?? columns.amount, { code: 'not_a_currency', params: { text: currency } })
  } else if (marked.currency !== undefined && marked.currency !== currency) {
    refuse(columns.amount, { code: 'other_currency', params: { found: marked.currency, stated: String(currency) } })
  }
  if (problems.length > 0 || amount === undefined || occurred_at === undefined) return problems
  const known: RowValues = {
    kind: 'row',
    line: row.line,
    receiver_name,
    receiver_email: readSource(row, columns.receiver_email) || undefined,
    tag_names: readTags(row, columns.tags),
    occurred_at,
    amount,
    currency,
    description: readDescription(row, columns.description ?? []),
    ...perName(importedTexts, (name) => readSource(row, columns[name]) || undefined),
  }
  return { known, values: { ...known, description: purposeOf(known) || known.description } }
}

function whyNot(text: string, { code, params }: TableReason): TableReason {
  return text === '' ? { code: 'empty' } : { code, params: { ...params, text } }
}

function readCell(row: TableRow, column: string): string {
  return unguardFormula(row.fields[column] ?? '').trim()
}

function readSource(row: TableRow, source: ColumnSource | undefined): string {
  if (source === undefined) return ''
  return typeof source === 'string' ? readCell(row, source) : source.value
}

function readTags(row: TableRow, source: ColumnMap['columns']['tags']): string[] {
  if (typeof source === 'object' && 'separator' in source) {
    return [...new Set(toTagNames(readCell(row, source.column), source.separator))]
  }
  return [readSource(row, source)].filter((name) => name !== '')
}

function readDescription(row: TableRow, parts: readonly string[]): string {
  return parts
    .map((part) => {
      const named = columnsOfPart(part)
      if (named[0] === part) return readCell(row, part)
      if (named.every((column) => readCell(row, column) === '')) return ''
      return part
        .replaceAll(/\{([^{}]+)\}/g, (_, column: string) => readCell(row, column))
        .replaceAll('()', '')
        .trim()
    })
    .filter((text) => text !== '')
    .join(JOINT)
}

/** Signs of exactly one currency; a bare $ is ambiguous and makes the amount unreadable. */
const CURRENCY_SIGNS: Readonly<Record<string, string>> = { R$: 'BRL', US$: 'USD', '€': 'EUR', '£': 'GBP' }

/** Splits the currency from an amount's text: `R$ 1.234,50`, `12.50 USD`, `9,90 €`. */
function splitCurrency(text: string): { number: string; currency?: string } {
  // Not one expression, which would backtrack over a long cell's spaces.
  const [before = ''] = /^(?:[A-Z]{3}|R\$|US\$|€|£)/.exec(text) ?? []
  const rest = text.slice(before.length)
  const [after = ''] = /(?:[A-Z]{3}|€|£)$/.exec(rest) ?? []
  const number = rest.slice(0, rest.length - after.length).trim()
  const mark = before || after
  if (mark === '' || (before !== '' && after !== '') || number === '' || /[A-Z€£$]/.test(number)) return { number: text }
  return { number, currency: CURRENCY_SIGNS[mark] ?? mark }
}

/** The texts that became importable after the first files were imported. */
const added = importedTexts.filter((name) => name !== 'location')
/** Without the supplier, which is part of the description: rows imported before it had columns keep their old digest. */
const identifying = added.filter((name) => name !== 'supplier_name' && name !== 'supplier_tax_id')

function digestOf(values: RowValues, names: readonly ImportedText[]): Buffer {
  const { receiver_name, receiver_email, tag_names, occurred_at, amount, currency, description, location } = values
  const ordered = [receiver_name, receiver_email, tag_names, occurred_at, amount, currency, description, location]
  // Absent values are left out, so that rows imported before a value could be stated keep their old digest.
  const stated = names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]))
  return sha256(JSON.stringify([...ordered, ...stated]))
}

function numbered(digest: Buffer, occurrences: DigestMap): string {
  const [before = 0] = occurrences.get(digest)
  occurrences.set(digest, [before + 1])
  return sha256(`${digest.toString('hex')}:${String(before)}`).toString('hex')
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
