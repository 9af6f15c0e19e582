import { createHash } from 'node:crypto'
import type { Row } from '#db/schema'
import { type StatementReport, maxListedProblems, maxShownLines } from '#shared/contract/organization-records/statements'
import { exponentOf } from '#shared/domain/currencies'
import { DomainError, type Refusal, invalid } from '#shared/domain/errors'
import type { Language } from '#shared/domain/locales'
import { fromMinor, sumByCurrency, toScaled } from '#shared/domain/money'
import type { AccountEvidence, KeptAccount } from '#shared/domain/statements/accounts'
import { followClosing, meetBefore } from '#shared/domain/statements/closings'
import { type LinePlan, type StatementPlan, type StoredLine, contentsOf, planLines } from '#shared/domain/statements/known-lines'
import type { StatementMapping } from '#shared/domain/statements/mapping'
import type { Period } from '#shared/domain/statements/periods'
import type { PageTexts } from '#main/files/inspection'
import type { Actor, Reader, Store, Tx } from '#main/store/core/store'
import { findPreExpenseByExternalId, insertPreExpenses } from '#main/store/records/expenses/pre-expenses'
import {
  type StatementHistory,
  findLineByIdentity,
  findKnownOfStatements,
  findStatementHistory,
  keepStatement,
  keepStatementHistory,
  listKnownLines,
  listUnfinishedImports,
  noteUnfinishedImports,
} from '#main/store/records/organizations/statement-reader'
import type { StorePlace } from '#main/store/core/thread-store'
import { findSigningSecret } from '#main/store/core/instance-settings'
import { insertStatementLines } from '#main/store/records/organizations/statement-writer'
import { UnreadableTable, wordReason } from '#main/tables/table-reason'
import { bytesOfPages } from '#main/tables/statements/pdf-rows'
import { plainSource } from '#main/tables/workbook'
import { getManagedOrganization } from '../access/get-visible-organization'
import { keyedHash } from '../access/keyed-hash'
import { getStatementCard, listCardsToImport } from './line-rules'
import { type ReadStatement, readStatement } from './read-statement'
import type { ReadLine } from './statement-parts'

/** A statement of a card. `mapping`: what was chosen for it; what is left out is as it was for the card before. */
export interface ImportedStatement {
  readonly path: string
  /** The texts of the file, if it is a PDF. */
  readonly pages?: PageTexts | undefined
  readonly organization_id: number
  readonly card_id: number
  readonly mapping?: StatementMapping | undefined
  /** The account in the file that is the card's, and the difference of its proof that the caller has seen. */
  readonly account?: string | undefined
  readonly difference?: string | undefined
  /** Of lines that state none. */
  readonly currency: string
  /** Which unsure lines are added: `all`, or their positions, separated by commas. */
  readonly add_unsure?: string | undefined
  readonly locale: Language
  readonly isDryRun: boolean
}

/** A statement that a thread imports, or looks through. */
export interface StatementTask extends StorePlace {
  readonly actor: Actor
  readonly asked: ImportedStatement
}

/** What comes of it. */
export type StatementOutcome =
  { readonly kind: 'done'; readonly report: StatementReport } | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Lines that are stored in one transaction, and known ones that are read at a time. */
const perBatch = 250
const perPage = 2_000
/** Far more than a card has statements: of these the periods and contents are known. */
const mostStatements = 500
const digestLength = 22

/** As {@link importStatement}, in a thread: what is refused is an outcome. */
export async function runStatement(store: Pick<Store, 'reader' | 'transact'>, { actor, asked }: StatementTask): Promise<StatementOutcome> {
  try {
    return { kind: 'done', report: await importStatement(store, actor, asked) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { kind: 'refused', refusal: error.refusal }
  }
}

/** Adds the new lines of a statement to its card, or says what it would add. Throws {@link DomainError}. */
export async function importStatement(
  store: Pick<Store, 'reader' | 'transact'>,
  actor: Actor,
  asked: ImportedStatement,
): Promise<StatementReport> {
  const { organization_id, card_id, isDryRun } = asked
  const card = await getStatementCard(store.reader, { id: card_id, organization_id, user_id: actor.user_id })
  const cards = await listCardsToImport(store.reader, { organization_id, user_id: actor.user_id })
  const found = await readIt(store.reader, asked, { last4: card.number_last4, cards })
  const compared = await compare(store.reader, asked, found)
  const read = withBalanceBefore(found, compared, asked.locale)
  const { news } = compared
  if (!isDryRun) assertSeen(read, asked)
  const report = toReport(read, compared)
  if (!isDryRun) {
    for (let at = 0; at < news.length || at === 0; at += perBatch)
      await store.transact(actor, async (tx) => {
        await getManagedOrganization(tx, organization_id, 'statement_lines.write')
        if (at === 0) await keepStatement(tx, card_id, { ...read, account: await toKept(tx, read) })
        await addLines(tx, card, news.slice(at, at + perBatch))
        await noteProgress(tx, { asked, report, added: at + perBatch })
        const isWhole = at + perBatch >= news.length
        if (at === 0 || isWhole) await keepStatementHistory(tx, card_id, historyOf(compared, isWhole))
      })
  }
  return report
}

/** A statement compared with what its card has: what each line is, and the new ones, with unsure ones that are added. */
interface Compared {
  readonly plan: StatementPlan
  readonly plans: ReadonlyArray<{ readonly line: ReadLine; readonly plan: LinePlan; readonly isAdded: boolean }>
  readonly news: readonly NewLine[]
  readonly digest: string
  readonly history: StatementHistory
}

async function compare(reader: Reader, { card_id, add_unsure }: ImportedStatement, { lines }: ReadStatement): Promise<Compared> {
  const history = await findStatementHistory(reader, card_id)
  const digest = digestOf(lines)
  const before = history.files.find((file) => file.digest === digest)
  const imported = before && (before.is_whole ? 'whole' : 'in part')
  const plan = planLines(lines, { lines: await listStored(reader, card_id), periods: history.periods, imported })
  const chosen = new Set((add_unsure ?? '').split(',').map(Number))
  const plans = lines.flatMap((line, index) => {
    const one = plan.lines[index]
    const isAdded = one?.kind === 'new' || (one?.kind === 'unsure' && (add_unsure === 'all' || chosen.has(index + 1)))
    return one ? [{ line, plan: one, isAdded }] : []
  })
  const news = plans.flatMap(({ line, plan: one, isAdded }) =>
    isAdded && one.kind !== 'known' ? [{ line, external_id: one.external_id }] : [],
  )
  return { plan, plans, news, digest, history }
}

function digestOf(lines: readonly ReadLine[]): string {
  const hash = createHash('sha256')
  for (const content of contentsOf(lines)) hash.update(`${content}\n`)
  return hash.digest('base64url').slice(0, digestLength)
}

/** What is known of a card's statements with this one, of which all lines are stored or the first ones. */
function historyOf({ plan: { period, before }, plans, digest, history }: Compared, isWhole: boolean): StatementHistory {
  const left = plans.flatMap(({ line, plan, isAdded }) => (plan.kind === 'unsure' && !isAdded ? [line.day] : []))
  const own = period && { ...period, open: isWhole ? [...new Set(left)] : null }
  const isOther = (one: Period) => one.from !== own?.from || one.to !== own.to || one.first !== own.first
  const files = history.files.filter((file) => file.digest !== digest)
  return {
    periods: [...before.filter(isOther), ...(own ? [own] : [])].slice(-mostStatements),
    files: [...files, { digest, is_whole: isWhole && left.length === 0 }].slice(-mostStatements),
  }
}

interface ImportProgress {
  readonly asked: ImportedStatement
  readonly report: StatementReport
  /** How many of its new lines are there. */
  readonly added: number
}

/** Says of an import that is cut off that lines are missing, until a statement of its days is whole. */
async function noteProgress(tx: Tx, { asked: { card_id, organization_id }, report, added }: ImportProgress): Promise<void> {
  const { first_day, last_day, added: lines } = report
  if (first_day === null || last_day === null) return
  const before = await listUnfinishedImports(tx, { organization_id, user_id: null, card_id })
  const others = before.filter((one) => one.first_day < first_day || one.last_day > last_day)
  const own = added < lines ? [{ at: tx.now, added, lines, first_day, last_day }] : []
  if (own.length > 0 || others.length < before.length) await noteUnfinishedImports(tx, card_id, [...others, ...own])
}

/**
 * A statement next to the account's one before: its closing balance proves this one, where it has a closing balance alone, and a note says where
 * one does not begin as the other ended.
 */
function withBalanceBefore(read: ReadStatement, { plans }: Compared, locale: Language): ReadStatement {
  const { proof, end } = read
  if (!proof || !end) return read
  const lines = plans.flatMap(({ line, plan }) => (line.currency === end.currency ? [{ ...line, isKnown: plan.kind === 'known' }] : []))
  const meeting = meetBefore(end, lines)
  if (meeting) {
    const { kind, before, by } = meeting
    const amount = `${end.currency} ${fromMinor(by, end.currency).toFixed(exponentOf(end.currency))}`
    return { ...read, notes: [...read.notes, wordReason(locale, { code: `meets_${kind}`, params: { day: before.day, amount } })] }
  }
  if (proof.reason !== null || proof.difference !== null) return read
  const followed = followClosing(end, lines)
  if (!followed) return read
  const major = (minor: number) => fromMinor(minor, end.currency)
  const { opening, closing, difference } = followed
  const reason = difference === 0 ? null : wordReason(locale, { code: read.refused > 0 ? 'proof_unreadable' : 'proof_before' })
  return { ...read, proof: { ...proof, opening: major(opening), closing: major(closing), difference: major(difference), reason } }
}

/** What a person must decide is asked first, and lines that do not come to the file's sums go in only if the caller has seen by how much. */
function assertSeen({ undecided, proof }: ReadStatement, { difference }: ImportedStatement): void {
  if (undecided.length > 0) throw invalid(undecided.every(({ column }) => column === 'account') ? 'account' : 'mapping', 'invalid')
  if (proof === null || proof.reason === null) return
  const isSeen = proof.difference === null ? difference === 'unknown' : difference !== undefined && Number(difference) === proof.difference
  if (!isSeen) throw invalid('difference', 'invalid')
}

/** An account as it is kept with a card: its last digits and, where no digits are hidden, a keyed hash. */
async function toKept(reader: Reader, { account, end }: ReadStatement): Promise<KeptAccount | null> {
  if (account === null) return null
  const secret = account.isMasked ? undefined : await findSigningSecret(reader)
  const closings = end
    ? [...end.earlier.filter(({ day }) => day !== end.day), { day: end.day, amount_minor: end.amount_minor, currency: end.currency }]
    : []
  return {
    ...{ digits: account.digits, hash: secret === undefined ? null : keyedHash({ secret, purpose: 'account', text: account.key }) },
    ...(closings.length > 0 && { closings: closings.slice(-mostStatements) }),
  }
}

async function readIt(
  reader: Reader,
  { path, pages, card_id, mapping = {}, currency, locale, account: chosen }: ImportedStatement,
  known: Pick<AccountEvidence, 'last4' | 'cards'>,
): Promise<ReadStatement> {
  try {
    const { kept, accounts } = await findKnownOfStatements(reader, card_id)
    const secret = (await findSigningSecret(reader)) ?? ''
    const hashOf = (text: string) => keyedHash({ secret, purpose: 'account', text })
    const { source, format } = pages ? { source: bytesOfPages(pages), format: 'pdf' as const } : await plainSource(path)
    const account = { ...known, kept: accounts, hashOf, chosen }
    return readStatement(source, { mapping, kept, currency, locale, account, format })
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    throw new DomainError({ kind: 'not_possible', code: 'statement.unreadable', params: { reason: error.word(locale) } })
  }
}

async function listStored(reader: Reader, card_id: number): Promise<StoredLine[]> {
  const stored: StoredLine[] = []
  for (let after = 0; ;) {
    const page = await listKnownLines(reader, { card_id, after, count: perPage })
    for (const { name, occurred_at, amount_minor, currency, external_id } of page)
      stored.push({ day: occurred_at.slice(0, 10), text: name, amount_minor, currency, external_id })
    after = page.at(-1)?.id ?? after
    if (page.length < perPage) return stored
  }
}

interface NewLine {
  readonly line: ReadLine
  readonly external_id: string
}

async function addLines(tx: Tx, card: Row<'corporative_cards'>, all: readonly NewLine[]): Promise<void> {
  const lines: NewLine[] = []
  // Someone may have imported the same meanwhile.
  for (const one of all) if (!(await findLineByIdentity(tx, { card_id: card.id, external_id: one.external_id }))) lines.push(one)
  const suggested = await suggest(
    tx,
    card,
    lines.filter(({ line }) => line.line_kind === 'charge' && card.active === 1),
  )
  const rows = lines.map((one) => {
    const { text: name, day, amount_minor, currency, line_kind, original_minor, original_currency, rate } = one.line
    return {
      ...{ organization_id: card.organization_id, user_id: card.user_id, corporative_card_id: card.id, name, currency },
      ...{ occurred_at: `${day}T00:00:00Z`, amount_minor, amount_scaled: toScaled(amount_minor, currency), line_kind, reason: null },
      ...{ original_amount_minor: original_minor, original_currency, rate },
      ...{ external_id: one.external_id, pre_expense_id: suggested.get(one) ?? null },
      original_amount_scaled: original_minor === null || original_currency === null ? null : toScaled(original_minor, original_currency),
    }
  })
  await insertStatementLines(tx, rows)
}

/** The suggested expenses of lines, for the card's holder: one for each line and importer. Returns their ids. */
async function suggest(tx: Tx, card: Row<'corporative_cards'>, lines: readonly NewLine[]): Promise<Map<NewLine, number>> {
  const author_id = tx.actor.user_id
  const ids = new Map<NewLine, number>()
  const news: Array<{ readonly one: NewLine; readonly external_id: string }> = []
  for (const one of lines) {
    const external_id = `card:${card.id}:${one.external_id}`.slice(0, 255)
    const known = await findPreExpenseByExternalId(tx, { author_id, external_id })
    if (known) ids.set(one, known.id)
    else news.push({ one, external_id })
  }
  const extra_information = JSON.stringify({ card: `${card.name} ·· ${card.number_last4}` })
  const stored = await insertPreExpenses(
    tx,
    news.map(({ one: { line }, external_id }) => ({
      ...{ description: line.text, occurred_at: `${line.day}T00:00:00Z`, tags: '', external_id },
      ...{ amount_minor: line.amount_minor, amount_scaled: toScaled(line.amount_minor, line.currency), currency: line.currency },
      ...{ receiver_id: card.user_id, author_id, ignored_at: null, converted_at: null, extra_information },
    })),
  )
  for (const [index, { one }] of news.entries()) ids.set(one, stored[index]?.id ?? 0)
  return ids
}

function toReport(read: ReadStatement, { plans, news }: Pick<Compared, 'plans' | 'news'>): StatementReport {
  const { lines, mapping, account: _account, end: _end, ...rest } = read
  const days = lines.map(({ day }) => day).toSorted()
  const { text, ...single } = mapping
  const unsure = plans.flatMap(({ line, plan, isAdded }, index) =>
    plan.kind === 'unsure' ? [{ line, like: plan.like, isAdded, index }] : [],
  )
  return {
    ...rest,
    mapping: { ...single, ...(text && { text: [...text] }) },
    ...{ rows: lines.length + read.refused, added: news.length },
    known: lines.length - news.length - unsure.filter(({ isAdded }) => !isAdded).length,
    ...{ first_day: days[0] ?? null, last_day: days.at(-1) ?? null },
    total: Object.fromEntries(
      sumByCurrency(news.map(({ line }) => line)).map(({ currency, amount_minor }) => [currency, fromMinor(amount_minor, currency)]),
    ),
    lines: plans.slice(0, maxShownLines).map(({ line, plan }) => ({ ...toShown(line), is_known: plan.kind === 'known' })),
    unsure_count: unsure.length,
    unsure: unsure
      .slice(0, maxListedProblems)
      .map(({ line, like, isAdded, index }) => ({
        ...{ ...toShown(line), position: index + 1, is_added: isAdded },
        like: { day: like.day, name: like.text, amount: fromMinor(like.amount_minor, like.currency) },
      })),
  }
}

const toShown = ({ line, day, text: name, amount_minor, currency, line_kind }: ReadLine) => ({
  ...{ line, day, name, amount: fromMinor(amount_minor, currency), currency, line_kind },
})
