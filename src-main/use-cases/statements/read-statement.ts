import { type StatementReport, maxListedProblems, maxShownLines } from '#shared/contract/organization-records/statements'
import { isCurrency } from '#shared/domain/currencies'
import { maskNumbersIn } from '#shared/domain/card-numbers'
import type { Language } from '#shared/domain/locales'
import { fromMinor, parseAmount } from '#shared/domain/money'
import {
  type AccountChoice,
  type AccountEvidence,
  type NamedAccount,
  cardOfAccount,
  chooseAccount,
  labelsOf,
} from '#shared/domain/statements/accounts'
import { lineKindOf } from '#shared/domain/statements/lines'
import type { StatementEnd } from '#shared/domain/statements/closings'
import type { ProofReason } from '#shared/domain/statements/proof'
import {
  type KeptMappings,
  type LeftOutReason,
  type StatementFormat,
  type StatementMapping,
  columnFormats,
} from '#shared/domain/statements/mapping'
import { type TableReason, UnreadableTable, wordReason } from '#main/tables/table-reason'
import type { TableSource } from '#main/tables/table-source'
import { type SpentBooking, type Statement, openStatement } from '#main/tables/statements/statement'
import { type ProvenLines, type ReadLine, type StatementPart, StatementParts, isTaken, proveStatement, totalOf } from './statement-parts'

type Said = 'format' | 'encoding' | 'headers' | 'undecided' | 'problems' | 'refused' | 'proof' | 'left_out' | 'accounts' | 'notes'

/** A statement that was read: its lines, and what is said of it as a whole. `account`: whose lines these are. */
export interface ReadStatement extends Pick<StatementReport, Said> {
  readonly mapping: StatementMapping
  readonly lines: readonly ReadLine[]
  readonly account: NamedAccount | null
  /** The end of a statement of an account whose closing balance has a day. */
  readonly end: StatementEnd | null
}

/** How a statement is read: what a person chose, and what is known of the card. */
export interface StatementReading {
  readonly mapping: StatementMapping
  readonly kept: KeptMappings
  readonly currency: string
  readonly locale: Language
  readonly account?: AccountEvidence
  readonly format?: StatementFormat | undefined
}

/** A larger file is no statement of one card: all its lines are held, and compared with those that are known. */
const mostEntries = 50_000
const longestName = 500
const nothingKnown: AccountEvidence = { last4: '', kept: [], hashOf: (key) => key }

interface Refused {
  readonly line: number
  readonly reason: TableReason
}

/** What is found in a file before its account is chosen. */
interface Found {
  readonly parts: StatementParts
  readonly leftOut: Array<{ line: number; reason: LeftOutReason; text: string }>
  readonly problems: Refused[]
  refused: number
}

/** Reads a statement to its end. What cannot be read is named by line. Throws {@link UnreadableTable} where it is none, or too long. */
export function readStatement(
  source: TableSource,
  { mapping, kept, currency, locale, account = nothingKnown, format }: StatementReading,
): ReadStatement {
  const statement = openStatement(source, mapping, { kept, currency, format })
  const found = readEntries(statement, currency)
  const accounts = found.parts.accounts()
  const named = accounts.map((one) => one.account)
  const choice = chooseAccount(named, account)
  const labels = labelsOf(named)
  const parts = found.parts.all.filter((part) => isTaken(part, choice))
  for (const part of found.parts.all)
    if (!parts.includes(part) && choice?.kind === 'taken')
      for (const { line } of part.lines) found.leftOut.push({ line: line.line, reason: 'other_account', text: line.text })
  const proven = proveStatement(parts, { unread: found.refused, usual: currency })
  const word = (reason: TableReason) => wordReason(locale, reason)
  const sentence = unreadSentence(statement, found, proven.lines.length)
  const undecided = [
    ...statement.undecided.map(({ code, column }) => ({ column, reason: { code, params: { column } } })),
    ...sentence,
    ...accountQuestion(choice),
  ]
  const problems = sentence.length > 0 ? found.problems.slice(0, 1) : found.problems
  const own = named.find(({ key }) => choice?.kind === 'taken' && key === choice.key) ?? null
  const earlier = account.kept.find(
    ({ digits, hash }) => digits === own?.digits && hash === (own?.isMasked ? null : account.hashOf(own.key)),
  )
  return {
    ...{ format: statement.format, encoding: statement.encoding, headers: [...statement.headers], mapping: statement.mapping },
    ...{ lines: proven.lines, refused: found.refused },
    account: own,
    end: own && proven.end && { ...proven.end, earlier: earlier?.closings ?? [] },
    problems: problems.map(({ line, reason }) => ({ line, reason: word(reason) })),
    undecided: undecided.map(({ column, reason }) => ({ column, reason: word(reason) })),
    proof: proofOf(statement.format === 'pdf' ? asProposal(proven, parts) : proven, word),
    left_out: leftOutOf(found.leftOut),
    accounts: accounts.slice(0, maxShownLines).map((one, index) => {
      const { lines, sum } = totalOf(one.parts)
      return {
        ...{ account: labels[index] ?? '', lines, currency: sum?.currency ?? null, sum: sum && fromMinor(sum.amount_minor, sum.currency) },
        is_taken: choice?.kind === 'taken' && choice.key === one.account.key,
        corporative_card_id: cardOfAccount(one.account, account.cards ?? [], account.hashOf),
      }
    }),
    notes: statement.notes.map(word),
  }
}

function readEntries(statement: Statement, currency: string): Found {
  const found: Found = { parts: new StatementParts(), leftOut: [], problems: [], refused: 0 }
  let read = 0
  const refuse = (line: number, reason: TableReason) => {
    found.refused += 1
    if (found.problems.length < maxListedProblems) found.problems.push({ line, reason })
  }
  for (const entry of statement.entries()) {
    if ((read += 1) > mostEntries) throw new UnreadableTable([{ code: 'too_many_lines', params: { most: mostEntries } }])
    if (entry.kind === 'problem') refuse(entry.line, entry.reason)
    else if (entry.kind === 'left_out') found.leftOut.push(entry)
    else if (entry.kind === 'section') found.parts.begin(entry)
    else if (entry.kind !== 'booking') found.parts.current.sums.push(entry)
    else {
      const line = toLine(entry, currency)
      if ('code' in line) refuse(entry.line, line)
      else if (line.amount_minor !== 0) found.parts.current.lines.push({ line, isReversal: entry.isReversal === true })
    }
  }
  return found
}

/** One sentence for a file of which no line can be read for one reason. */
function unreadSentence({ format, mapping }: Statement, { problems, refused }: Found, lines: number) {
  const [first] = problems
  const codes = new Set(problems.map(({ reason }) => reason.code))
  if (lines > 0 || refused < 2 || codes.size !== 1 || !first || !columnFormats.has(format)) return []
  const { code, params } = first.reason
  if (code === 'no_day') return [{ column: mapping.day ?? 'day', reason: { code: 'unread_days', ...(params && { params }) } }]
  if (code !== 'no_amount' && code !== 'inexact_amount') return []
  return [{ column: mapping.amount ?? mapping.debit ?? 'amount', reason: { code: 'unread_amounts', ...(params && { params }) } }]
}

function accountQuestion(choice: AccountChoice | undefined) {
  return choice?.kind === 'ask' ? [{ column: 'account', reason: { code: `account_${choice.of}` } }] : []
}

/** Lines that were found by their places on pages: without a balance before the first and after the last, none of them is sure. */
function asProposal(proven: ProvenLines, parts: readonly StatementPart[]): ProvenLines {
  const has = ({ sums }: StatementPart, what: 'opening' | 'closing') => sums.some((sum) => sum.kind === 'balance' && sum.what === what)
  const isSure = proven.proof.difference === 0 && parts.every((part) => has(part, 'opening') && has(part, 'closing'))
  if (isSure || proven.proof.reason !== null) return proven
  return { ...proven, proof: { ...proven.proof, difference: null, reason: 'unproven' } }
}

const isPlaced = (reason: ProofReason) => reason === 'changed' || reason === 'missing'

function proofOf({ lines, proof, currency }: ProvenLines, word: (reason: TableReason) => string): StatementReport['proof'] {
  if (currency === null) return null
  const major = (minor: number | null) => (minor === null ? null : fromMinor(minor, currency))
  const days = lines.map(({ day }) => day).toSorted()
  return {
    ...{ from: days[0] ?? '', to: days.at(-1) ?? '', lines: lines.length, currency, sum: fromMinor(proof.sum, currency) },
    ...{ opening: major(proof.opening), closing: major(proof.closing), difference: major(proof.difference) },
    ...{
      line: proof.line,
      reason:
        proof.reason === null
          ? null
          : word({
              code: `proof_${proof.reason}${proof.line === null && isPlaced(proof.reason) ? '_somewhere' : ''}`,
              params: { line: proof.line ?? 0 },
            }),
    },
  }
}

function leftOutOf(rows: Found['leftOut']): StatementReport['left_out'] {
  const reasons = [...new Set(rows.map(({ reason }) => reason))]
  return reasons.map((reason) => {
    const those = rows.filter((row) => row.reason === reason)
    const lines = those.slice(0, maxShownLines).map(({ line, text }) => ({ line, text: maskNumbersIn(text).slice(0, longestName) }))
    return { reason, count: those.length, lines }
  })
}

function toLine(entry: SpentBooking, usual: string): ReadLine | TableReason {
  const currency = entry.currency ?? usual
  if (!isCurrency(currency)) return { code: 'no_currency', params: { text: currency } }
  const parsed = parseAmount(entry.amount, currency)
  if (parsed.kind !== 'ok') return { code: 'inexact_amount', params: { text: entry.amount, currency } }
  const { amount_minor } = parsed
  const balance = entry.balance === null ? undefined : parseAmount(entry.balance, currency)
  const text = maskNumbersIn(entry.text === '' ? (entry.reference ?? '–') : entry.text).slice(0, longestName)
  return {
    ...{ line: entry.line, day: entry.day, text, amount_minor, currency, reference: entry.reference },
    line_kind: lineKindOf({ amount_minor, text, type: entry.type }),
    ...originalOf(entry, currency),
    balance_minor: balance?.kind === 'ok' ? balance.amount_minor : null,
  }
}

function originalOf({ original }: SpentBooking, currency: string): Pick<ReadLine, 'original_minor' | 'original_currency' | 'rate'> {
  if (!original || original.currency === currency || !isCurrency(original.currency))
    return { original_minor: null, original_currency: null, rate: null }
  const parsed = original.amount === null ? undefined : parseAmount(original.amount, original.currency)
  const rate = original.rate === null ? null : Number(original.rate)
  return {
    original_minor: parsed?.kind === 'ok' && parsed.amount_minor !== 0 ? parsed.amount_minor : null,
    original_currency: original.currency,
    rate: rate !== null && rate > 0 && Number.isFinite(rate) ? rate : null,
  }
}
