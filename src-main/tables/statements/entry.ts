import type { TableReason } from '../table-reason'

/** A booking in a file. `amount`: a canonical decimal with the file's sign; `line`: where it begins, from 1. */
export interface Booking {
  readonly kind: 'booking'
  readonly line: number
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly amount: string
  readonly currency: string | null
  readonly text: string
  /** The bank's identity of it, if given. */
  readonly reference: string | null
  /** The direction of the money, if the file states it apart from the sign. */
  readonly direction: 'out' | 'in' | null
  /** A fee, or a payment of the card itself, if the bank marks it so. */
  readonly type: 'fee' | 'payment' | null
  /** A foreign payment: its amount if stated, its currency, and the bank's rate. */
  readonly original: { readonly amount: string | null; readonly currency: string; readonly rate: string | null } | null
}

/** A problem, with the line at which it begins. */
export interface StatementProblem {
  readonly kind: 'problem'
  readonly line: number
  readonly reason: TableReason
}

/** A part of a statement, in file order. */
export type StatementEntry = Booking | StatementProblem

/** A problem at a line. */
export function problemAt(line: number, code: string, params: TableReason['params'] = {}): StatementProblem {
  return { kind: 'problem', line, reason: { code, params } }
}

/** Joins texts with single spaces, without those that another one already contains. */
export function joinTexts(...texts: ReadonlyArray<string | undefined>): string {
  const parts: string[] = []
  for (const text of texts) {
    const part = (text ?? '').replaceAll(/\s+/g, ' ').trim()
    if (part !== '' && !parts.some((other) => other.includes(part))) parts.push(part)
  }
  return parts.join(' ')
}

/** A canonical decimal from a format without thousands separators; undefined if it is not a number. */
export function plainDecimal(text: string): string | undefined {
  const [, sign = '', whole = '', fraction] = /^([-+]?)(\d*)(?:[.,](\d*))?$/.exec(text.trim()) ?? []
  if (whole === '' && (fraction ?? '') === '') return undefined
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return `${sign === '-' ? '-' : ''}${digits}${fraction ? `.${fraction}` : ''}`
}

/** A day as `YYYY-MM-DD`, from eight digits and more, such as `20260304120000[-3:BRT]`, or from ISO 8601; undefined if there is no such day. */
export function plainDay(text: string): string | undefined {
  const [, year, month, day] = /^\s*(\d{4})-?(\d\d)-?(\d\d)/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const written = `${year}-${month}-${day}`
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written) ? written : undefined
}
