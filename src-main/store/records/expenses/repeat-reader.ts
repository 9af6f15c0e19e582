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
import { listExpensesWithFiles, listFilesThatSay, listInvoiceFiles, listPicturesByBands, listReadReceipts } from '../files/reading-reader'
import { type Candidate, type Compared, candidateColumns, isRecordedBefore, wasRecordedBefore } from './compared-columns'
import { dayAfter, isFrequentSupplier, isRegularPrice } from './habits'
import { listParts } from './parts-reader'
import type { Audience } from '../../sync/audience'
import { seenExpense } from '../../sync/sight'
import { nullsFirst } from '../../core/dialect'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/**
 * An expense whose repeats are looked for. `id` and `created_at`: of a stored expense; without them it counts as the newest. `receipts`: instead of
 * the stored ones. `also`: expenses of the same organization that the same write records before it.
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

interface Near extends Pick<Candidate, 'payer_id' | 'amount_minor' | 'currency' | 'id' | 'created_at'> {
  readonly first: string
  readonly last: string
  readonly most: number
  readonly skipped: number
}

const listNear = (isEarlier: boolean) =>
  statement<Near, Candidate>((db, p) =>
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
      .where('id', '!=', p('id'))
      .$if(isEarlier, (query) => query.where(isRecordedBefore(p)))
      .orderBy(nullsFirst(sql.ref('occurred_at')))
      .limit(p('most'))
      .offset(p('skipped')),
  )
/** Exported so that a test can check its index. */
export const listEarlierNear = listNear(true)
const listAllNear = listNear(false)
const listByIds = listStatement<number, Candidate>((db, ids) =>
  db
    .selectFrom('expenses')
    .select(candidateColumns)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('status', '!=', sql.lit('rejected')),
)
/** Compares candidates with the same amount and nearly the same day, in two steps, because a write waits for it. */
const compared = [
  { skipped: 0, most: 24 },
  { skipped: 24, most: 126 },
] as const

/**
 * Expenses of the same organization that may be the same purchase, most certain first, without rejected ones and decided pairs. Of two, the one
 * recorded later repeats the other. `earlier`: those that an expense repeats, which never change with later records; `later`: those that repeat it.
 * Candidates come from an index, so the cost does not grow with the organization.
 */
export async function findRepeats(reader: Reader, given: AskedExpense, side: 'earlier' | 'later'): Promise<FoundRepeat[]> {
  const isEarlier = side === 'earlier'
  const asked = toAsked(given)
  const receipts = given.receipts ?? (await receiptsOf(reader, given))
  const expense = { ...asked, receipts }
  const unstored = asked.also.filter(({ amount_minor }) => amount_minor === asked.amount_minor)
  const listStep = (step: (typeof compared)[number]) => reader.all(isEarlier ? listEarlierNear : listAllNear, { ...asked, ...step })
  // Together: on a database behind a network each query would otherwise wait for the one before.
  const [ofReceipts, firstStep, parts] = await Promise.all([
    listByReceipts(reader, expense),
    listStep(compared[0]),
    listParts(reader, { ...asked, isEarlier }),
  ])
  const byReceipts = [...ofReceipts, ...unstored]
  const found = await compareAll(reader, expense, byReceipts)
  const known = new Set(byReceipts.map(({ id }) => id))
  for (const step of compared) {
    const near = step === compared[0] ? firstStep : await listStep(step)
    found.push(
      ...(await compareAll(
        reader,
        expense,
        near.filter(({ id }) => !known.has(id)),
      )),
    )
    // Either all candidates were compared, or so many are alike that more would not change the result.
    if (near.length < step.most || found.filter(({ repeat }) => !isTelling(repeat)).length > 2 * usualPrice) break
  }
  const same = new Set(found.map(({ candidate }) => candidate.id))
  found.push(...parts.map(toSplit).filter(({ candidate }) => !same.has(candidate.id)))
  const wanted = found.filter(({ candidate }) => wasRecordedBefore(candidate, asked) === isEarlier)
  const decided = wanted.length === 0 ? new Set<number>() : await decidedOf(reader, given.id)
  const isByHabit = await habitsOf(reader, asked, wanted.filter(isElsewhere(asked)))
  const open = withoutUsual(wanted.filter((one) => !decided.has(one.candidate.id) && !isByHabit(one)))
  return open.toSorted((a, b) => b.score - a.score || a.id - b.id)
}

type Asked = ReturnType<typeof toAsked>

/** The number of an expense that is not stored yet: higher than any. */
export const newest = Number.MAX_SAFE_INTEGER

function toAsked({ id = newest, created_at = '9999', attachments_count = 0, also = [], ...asked }: AskedExpense) {
  const [first, last] = [dayAfter(asked.occurred_at, -repeatDays), dayAfter(asked.occurred_at, repeatDays + 1)]
  return { ...asked, id, created_at, attachments_count, also, first, last }
}

const toSplit = (candidate: Candidate): Found => ({ candidate, repeat: splitRepeat })

interface Found {
  readonly candidate: Candidate
  readonly repeat: Repeat
}

/** Whether only amount and text match, not the day. */
const isElsewhere =
  ({ occurred_at }: Compared) =>
  ({ candidate, repeat }: Found): boolean =>
    !isTelling(repeat) &&
    !repeat.evidence.includes('receipt') &&
    !repeat.evidence.includes('split') &&
    candidate.occurred_at.slice(0, 10) !== occurred_at.slice(0, 10)

/** Which candidates of another day are regular payments of the claimant. */
async function habitsOf(reader: Reader, asked: Asked, elsewhere: readonly Found[]): Promise<(one: Found) => boolean> {
  if (elsewhere.length > 0 && (await isRegularPrice(reader, asked))) return (one) => elsewhere.includes(one)
  const reworded = elsewhere.filter(({ candidate }) => !hasSameWords(asked.description, candidate.description))
  const isFrequent = reworded.length > 0 && (await isFrequentSupplier(reader, asked))
  return (one) => isFrequent && reworded.includes(one)
}

function withoutUsual(found: readonly Found[]): FoundRepeat[] {
  const isUsual = found.filter(({ repeat }) => !isTelling(repeat)).length >= usualPrice
  return found.flatMap(({ candidate: { id }, repeat }) => (isUsual && !isTelling(repeat) ? [] : [{ id, ...repeat }]))
}

async function receiptsOf(reader: Reader, { id, attachments_count = 0 }: AskedExpense): Promise<readonly ComparedReceipt[]> {
  return id === undefined || attachments_count === 0 ? [] : listReadReceipts(reader, [id])
}

type WithReceipts = Asked & { readonly receipts: readonly ComparedReceipt[] }

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

async function compareAll(reader: Reader, { receipts, ...expense }: WithReceipts, candidates: readonly Candidate[]): Promise<Found[]> {
  // Receipts count only if both expenses have some.
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

/** The decisions about pairs that include an expense. */
export function listRepeatDecisions(reader: Reader, id: number): Promise<Array<Row<'repeat_decisions'>>> {
  return reader.all(listOfExpense, { id })
}

/** The decision about a pair, in the order in which it is stored. */
export function findRepeatDecision(reader: Reader, pair: { expense_id: number; other_expense_id: number }) {
  return reader.first(findOfPair, pair)
}

/** The expenses among some that an audience sees. */
export async function listSeenExpenses(
  { db }: Reader,
  { ids, audience }: { ids: readonly number[]; audience: Audience },
): Promise<Array<Row<'expenses'>>> {
  if (ids.length === 0) return []
  return db.selectFrom('expenses').selectAll().where('id', 'in', ids).where(seenExpense(audience)).execute()
}
