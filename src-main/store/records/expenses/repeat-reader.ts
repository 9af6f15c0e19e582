import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { bandsOf } from '#shared/domain/picture-hash'
import {
  type ComparedExpense,
  type ComparedReceipt,
  type Repeat,
  compareExpenses,
  hasSameWords,
  isCopy,
  isTelling,
  repeatDays,
  splitRepeat,
  usualPrice,
} from '#shared/domain/repeats'
import {
  listExpensesWithFiles,
  listFilesThatSay,
  listInvoiceFiles,
  listPicturesByBands,
  listReadReceipts,
} from '../files/reading-reader'
import { type Candidate, type Compared, candidateColumns } from './compared-columns'
import { dayAfter, isFrequentSupplier, isRegularPrice } from './habits'
import { listParts } from './parts-reader'
import type { Audience } from '../../sync/audience'
import { seenExpense } from '../../sync/sight'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/**
 * An expense whose repeats are asked for. `id` and `created_at`: once it is stored; until then it is the newest. `receipts`: where they are
 * not those that are stored. `also`: further expenses to compare it with, that are not stored yet.
 */
export interface AskedExpense extends Compared {
  readonly id?: number
  readonly created_at?: string
  readonly attachments_count?: number
  readonly receipts?: readonly ComparedReceipt[]
  readonly also?: readonly Candidate[]
}

/** Another expense that may be the same purchase. */
export interface FoundRepeat extends Repeat {
  readonly id: number
}

/**
 * The expenses that may be the same purchase, surest first. Of two the one that was recorded later repeats the other: `earlier`, how many
 * an expense repeats; `later`, which ones repeat it.
 */
export interface FoundRepeats {
  readonly repeats: readonly FoundRepeat[]
  readonly earlier: number
  readonly later: readonly number[]
}

interface Near {
  readonly payer_id: number
  readonly amount_minor: number
  readonly currency: string
  readonly first: string
  readonly last: string
  readonly except_id: number
  readonly most: number
  readonly skipped: number
}

const listNear = statement<Near, Candidate>((db, p) =>
  db
    .selectFrom('expenses')
    .select(candidateColumns)
    .where('payer_id', '=', p('payer_id'))
    .where('amount_minor', '=', p('amount_minor'))
    .where('currency', '=', p('currency'))
    .where('occurred_at', '>=', p('first'))
    .where('occurred_at', '<', p('last'))
    .where('deleted_at', 'is', null)
    .where('status', '!=', sql.lit('rejected'))
    .where('id', '!=', p('except_id'))
    .orderBy('occurred_at')
    .limit(p('most'))
    .offset(p('skipped')),
)
const listByIds = listStatement<number, Candidate>((db, ids) =>
  db
    .selectFrom('expenses')
    .select(candidateColumns)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('status', '!=', sql.lit('rejected')),
)
/** Compared of those that have the amount and nearly the day, in two steps: a write waits for it. */
const compared = [
  { skipped: 0, most: 24 },
  { skipped: 24, most: 126 },
]

/**
 * The expenses of the same organization that may be the same purchase, without rejected ones and pairs that someone has decided on.
 * Candidates are found by index: what they cost does not grow with the organization.
 */
export async function findRepeats(reader: Reader, asked: AskedExpense): Promise<FoundRepeats> {
  const receipts = asked.receipts ?? (await receiptsOf(reader, asked))
  const expense = { ...asked, receipts }
  const byReceipts = [...(await listByReceipts(reader, expense)), ...(asked.also ?? [])]
  const found = await compareAll(reader, expense, byReceipts)
  const known = new Set(byReceipts.map(({ id }) => id))
  for (const step of compared) {
    const near = await reader.all(listNear, { ...nearness(expense), ...step })
    found.push(
      ...(await compareAll(
        reader,
        expense,
        near.filter(({ id }) => !known.has(id)),
      )),
    )
    // More of them could only be as many again.
    if (near.length < step.most || found.filter(({ repeat }) => !isTelling(repeat)).length > 2 * usualPrice) break
  }
  const same = new Set(found.map(({ candidate }) => candidate.id))
  const parts = await listParts(reader, { ...asked, ...nearness(asked) })
  found.push(...parts.map(toSplit).filter(({ candidate }) => !same.has(candidate.id)))
  const decided = found.length === 0 ? new Set<number>() : await decidedOf(reader, asked.id)
  const isByHabit = await habitsOf(reader, asked, found.filter(isElsewhere(asked)))
  const open = found.filter((one) => !decided.has(one.candidate.id) && !isByHabit(one))
  const [earlier, later] = [true, false].map((isWanted) =>
    withoutUsual(open.filter(({ candidate }) => isEarlier(candidate, asked) === isWanted)),
  )
  const repeats = [...(earlier ?? []), ...(later ?? [])].toSorted((a, b) => b.score - a.score || a.id - b.id)
  return { repeats, earlier: earlier?.length ?? 0, later: later?.map(({ id }) => id) ?? [] }
}

const toSplit = (candidate: Candidate): Found => ({ candidate, repeat: splitRepeat })

interface Found {
  readonly candidate: Candidate
  readonly repeat: Repeat
}

/** Whether it is only alike in amount and text, and of another day. */
const isElsewhere =
  ({ occurred_at }: Compared) =>
  ({ candidate, repeat }: Found): boolean =>
    !isTelling(repeat) &&
    !repeat.evidence.includes('receipt') &&
    !repeat.evidence.includes('split') &&
    candidate.occurred_at.slice(0, 10) !== occurred_at.slice(0, 10)

/** Which of those of another day are what the claimant usually pays, or buys there every few days. */
async function habitsOf(reader: Reader, asked: AskedExpense, elsewhere: readonly Found[]): Promise<(one: Found) => boolean> {
  const paid = { ...asked, first: dayAfter(asked.occurred_at, -repeatDays), last: dayAfter(asked.occurred_at, repeatDays + 1) }
  if (elsewhere.length > 0 && (await isRegularPrice(reader, paid))) return (one) => elsewhere.includes(one)
  const reworded = elsewhere.filter(({ candidate }) => !hasSameWords(asked.description, candidate.description))
  const isFrequent = reworded.length > 0 && (await isFrequentSupplier(reader, paid))
  return (one) => isFrequent && reworded.includes(one)
}

function isEarlier(one: Candidate, { id, created_at }: Pick<AskedExpense, 'id' | 'created_at'>): boolean {
  if (id === undefined || created_at === undefined) return true
  return one.created_at < created_at || (one.created_at === created_at && one.id < id)
}

function withoutUsual(found: readonly Found[]): FoundRepeat[] {
  const isUsual = found.filter(({ repeat }) => !isTelling(repeat)).length >= usualPrice
  return found.flatMap(({ candidate: { id }, repeat }) => (isUsual && !isTelling(repeat) ? [] : [{ id, ...repeat }]))
}

async function receiptsOf(reader: Reader, { id, attachments_count = 0 }: AskedExpense): Promise<readonly ComparedReceipt[]> {
  return id === undefined || attachments_count === 0 ? [] : listReadReceipts(reader, [id])
}

function nearness({ payer_id, amount_minor, currency, occurred_at, id = 0 }: AskedExpense): Omit<Near, 'most' | 'skipped'> {
  const [first, last] = [dayAfter(occurred_at, -repeatDays), dayAfter(occurred_at, repeatDays + 1)]
  return { payer_id, amount_minor, currency, first, last, except_id: id }
}

type WithReceipts = AskedExpense & { readonly receipts: readonly ComparedReceipt[] }

async function listByReceipts(reader: Reader, { id, payer_id, receipts }: WithReceipts): Promise<Candidate[]> {
  if (receipts.length === 0) return []
  const keys = receipts.flatMap(({ invoice_key }) => invoice_key ?? [])
  const files = [
    ...receipts.map(({ sha256 }) => sha256),
    ...(await listInvoiceFiles(reader, keys)),
    ...(await listFilesThatSay(
      reader,
      receipts.flatMap(({ said }) => said ?? []),
    )),
    ...(await listCopies(
      reader,
      receipts.flatMap(({ picture }) => picture ?? []),
    )),
  ]
  const ids = (await listExpensesWithFiles(reader, [...new Set(files)])).filter((other) => other !== id)
  const rows = await reader.allOf(listByIds, [...new Set(ids)])
  return rows.filter((row) => row.payer_id === payer_id)
}

async function listCopies(reader: Reader, pictures: readonly string[]): Promise<string[]> {
  const alike = await listPicturesByBands(reader, [...new Set(pictures.flatMap(bandsOf))])
  return alike.filter(({ hash }) => pictures.some((picture) => isCopy(picture, hash))).map(({ sha256 }) => sha256)
}

async function compareAll(
  reader: Reader,
  { receipts, ...expense }: WithReceipts,
  candidates: readonly Candidate[],
): Promise<Found[]> {
  // Receipts speak only where both have some.
  const withSome = receipts.length === 0 ? [] : candidates.filter(({ attachments_count }) => attachments_count > 0)
  const others = Map.groupBy(
    await listReadReceipts(
      reader,
      withSome.map(({ id }) => id),
    ),
    ({ expense_id }) => expense_id,
  )
  const own = toCompared(expense, receipts)
  return candidates.flatMap((candidate) => {
    const repeat = compareExpenses(own, toCompared(candidate, others.get(candidate.id) ?? []))
    return repeat ? [{ candidate, repeat }] : []
  })
}

function toCompared(row: Compared, receipts: readonly ComparedReceipt[]): ComparedExpense {
  return { ...row, receipts }
}

async function decidedOf(reader: Reader, id: number | undefined): Promise<Set<number>> {
  if (id === undefined) return new Set()
  const pairs = await listRepeatDecisions(reader, id)
  return new Set(pairs.map(({ expense_id, other_expense_id }) => (expense_id === id ? other_expense_id : expense_id)))
}

const listOfExpense = statement<{ id: number }, Row<'repeat_decisions'>>((db, p) =>
  db
    .selectFrom('repeat_decisions')
    .selectAll()
    .where((is) => is.or([is('expense_id', '=', p('id')), is('other_expense_id', '=', p('id'))]))
    .where('deleted_at', 'is', null)
    .orderBy('id'),
)
const findOfPair = statement<{ expense_id: number; other_expense_id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('repeat_decisions')
    .select('id')
    .where('expense_id', '=', p('expense_id'))
    .where('other_expense_id', '=', p('other_expense_id'))
    .where('deleted_at', 'is', null),
)

/** What was decided of pairs that an expense is one of. */
export function listRepeatDecisions(reader: Reader, id: number): Promise<Array<Row<'repeat_decisions'>>> {
  return reader.all(listOfExpense, { id })
}

/** What was decided of a pair, in the order in which it is stored. */
export function findRepeatDecision(reader: Reader, pair: { expense_id: number; other_expense_id: number }) {
  return reader.first(findOfPair, pair)
}

/** Those of some expenses that an audience sees. */
export async function listSeenExpenses(
  { db }: Reader,
  { ids, audience }: { ids: readonly number[]; audience: Audience },
): Promise<Array<Row<'expenses'>>> {
  if (ids.length === 0) return []
  return db.selectFrom('expenses').selectAll().where('id', 'in', ids).where(seenExpense(audience)).execute()
}
