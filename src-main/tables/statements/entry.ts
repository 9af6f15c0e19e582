import type { AccountKind } from '#shared/domain/statements/accounts'
import type { LeftOutReason } from '#shared/domain/statements/mapping'
import type { StatedCheck } from '#shared/domain/statements/proof'
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
  /** The balance after it, a canonical decimal with the file's sign. */
  readonly balance: string | null
  /** Marked as a reversal whose direction banks write in two ways. */
  readonly isReversal?: boolean
  /** A foreign payment: its amount if stated, its currency, and the bank's rate. */
  readonly original: { readonly amount: string | null; readonly currency: string; readonly rate: string | null } | null
}

/** A problem, with the line at which it begins. */
export interface StatementProblem {
  readonly kind: 'problem'
  readonly line: number
  readonly reason: TableReason
}

/** A row that is no line of the card. */
export interface LeftOut {
  readonly kind: 'left_out'
  readonly line: number
  readonly reason: LeftOutReason
  readonly text: string
}

/** The account or card whose bookings and sums follow, a statement of it after the other. `number`: as written, null if the file names none. */
export interface SectionStart {
  readonly kind: 'section'
  readonly line: number
  readonly number: string | null
  readonly account: AccountKind
  /** Rows of several accounts are mixed: what follows belongs to what this account had before. */
  readonly continues: boolean
}

/**
 * A sum that the file states of the section: a balance with the file's sign, or what its entries should come to and do, in Outlay's sign. `side`: a sum
 * that proves no lines; `parts` and `batch`: the number and sum of an entry's transactions. `day`: of which days it has all lines, or when the closing
 * balance was so.
 */
export type StatedSum =
  | { readonly kind: 'balance'; readonly line: number; readonly what: 'opening' | 'closing'; readonly amount: string }
  | { readonly kind: 'day'; readonly line: number; readonly what: 'from' | 'to' | 'closing'; readonly day: string }
  | { readonly kind: 'check'; readonly line: number; readonly what: StatedCheck['what']; readonly stated: string; readonly found: string }

/** A part of a statement, in file order. */
export type StatementEntry = Booking | StatementProblem | LeftOut | SectionStart | StatedSum

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

/** A canonical decimal from a format without thousands separators; banks that write them write both signs. Undefined if it is not a number. */
export function plainDecimal(text: string): string | undefined {
  const written = text.trim().replaceAll('\u2212', '-')
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','))
  const isGrouped = written.includes('.') && written.includes(',')
  const plain = isGrouped ? written.slice(0, last).replaceAll(/[.,](?=\d{3})/g, '') + written.slice(last) : written
  const [, sign = '', whole = '', fraction] = /^([-+]?)(\d*)(?:[.,](\d*))?$/.exec(plain) ?? []
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
