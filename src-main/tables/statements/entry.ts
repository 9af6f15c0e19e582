import type { TableReason } from '../table-reason'

/** One booking as a file has it. `amount`: a canonical decimal with the file's own sign; `line`: where it begins, from 1. */
export interface Booking {
  readonly kind: 'booking'
  readonly line: number
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly amount: string
  readonly currency: string | null
  readonly text: string
  /** The bank's own identity of it, if it gives one. */
  readonly reference: string | null
  /** Which way the money went, where the file says so apart from the sign. */
  readonly direction: 'out' | 'in' | null
  /** What the bank calls a fee or a payment of the card itself. */
  readonly type: 'fee' | 'payment' | null
  /** What was paid abroad: its amount where that is stated, its currency, and the bank's rate. */
  readonly original: { readonly amount: string | null; readonly currency: string; readonly rate: string | null } | null
}

/** What cannot be read, by the line at which it begins. */
export interface StatementProblem {
  readonly kind: 'problem'
  readonly line: number
  readonly reason: TableReason
}

/** A part of a statement, in the order of the file. */
export type StatementEntry = Booking | StatementProblem

/** A problem at a line. */
export function problemAt(line: number, code: string, params: TableReason['params'] = {}): StatementProblem {
  return { kind: 'problem', line, reason: { code, params } }
}

/** One text with single spaces of several, without what one of the others says already. */
export function joinTexts(...texts: ReadonlyArray<string | undefined>): string {
  const parts: string[] = []
  for (const text of texts) {
    const part = (text ?? '').replaceAll(/\s+/g, ' ').trim()
    if (part !== '' && !parts.some((other) => other.includes(part))) parts.push(part)
  }
  return parts.join(' ')
}

/** An amount of a format that allows no thousands, as a canonical decimal; undefined where it is none. */
export function plainDecimal(text: string): string | undefined {
  const [, sign = '', whole = '', fraction] = /^([-+]?)(\d*)(?:[.,](\d*))?$/.exec(text.trim()) ?? []
  if (whole === '' && (fraction ?? '') === '') return undefined
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return `${sign === '-' ? '-' : ''}${digits}${fraction ? `.${fraction}` : ''}`
}

/** A day of eight digits and more, such as `20260304120000[-3:BRT]`, or of ISO 8601, as `YYYY-MM-DD`; undefined where there is no such day. */
export function plainDay(text: string): string | undefined {
  const [, year, month, day] = /^\s*(\d{4})-?(\d\d)-?(\d\d)/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const written = `${year}-${month}-${day}`
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written) ? written : undefined
}
