import type { Row } from '#db/schema'
import { type FieldError, type Refusal, DomainError, forbidden } from '#shared/domain/errors'
import { fromMinor } from '#shared/domain/money'
import { may } from '#shared/domain/permissions'
import { languageOf } from '#main/store/records/users/user-language'
import { importedTexts } from '#shared/records/expense'
import { recordActivities } from '#main/store/records/conversations/activity-writer'
import { type NewExpense, insertExpenses } from '#main/store/records/expenses/expense-writer'
import { listImported } from '#main/store/records/expenses/import-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import type { Actor, Store, Tx } from '#main/store/core/store'
import { findUser } from '#main/store/records/users/user-reader'
import { assertCurrencyInUse } from '../access/amounts'
import { getWritableOrganization } from '../access/preconditions'
import type { TableProblem } from '#main/tables/read-table'
import { defaultLanguage } from '#shared/domain/locales'
import { meetSuppliers } from '../suppliers/learn-supplier'
import { resolveTags } from '../tags/resolve-tags'
import { Claimants } from './claimants'
import { type ImportedExpense, type ImportedValues, readImportedValues } from './read-imported-values'
import { type ImportedChange, type OptionalAttribute, listImportedChanges } from './list-imported-changes'
import { updateExpense } from './update-expense'

/** Why a row was not imported, with the contract's name of the attribute; null for the whole row. */
export interface ImportProblem {
  readonly line: number
  readonly attribute: string | null
  readonly refusal: { readonly kind: 'invalid'; readonly error: FieldError } | Extract<Refusal, { kind: 'not_possible' }>
}

/** The result for a row. */
export type ImportOutcome =
  | { readonly kind: 'imported'; readonly amount_minor: number; readonly currency: string }
  | { readonly kind: 'skipped' }
  /** A known row with other content; `isUpdated` if the expense got that content. */
  | {
      readonly kind: 'changed'
      readonly line: number
      readonly external_id: string
      readonly expense_id: number
      readonly changes: readonly ImportedChange[]
      readonly isUpdated: boolean
    }
  | { readonly kind: 'refused'; readonly problems: readonly ImportProblem[] }
  /** The row could not be read. */
  | { readonly kind: 'unread'; readonly problem: TableProblem }

/** The options of an import. */
export interface ImportOptions {
  readonly organization_id: number
  /** The currency of rows that state none. */
  readonly currency: string
  /** Whether to roll everything back. */
  readonly isDryRun?: boolean
  /** Whether to update known expenses with the file's content. */
  readonly isUpdate?: boolean
  /** The attributes for which the file has a column: only these are compared. */
  readonly stated?: ReadonlySet<OptionalAttribute>
}

/**
 * Small enough that other writers hardly wait, large enough that a commit hardly counts. A database behind a network needs several round trips per
 * row.
 */
const batchSizes = { file: 500, network: 50 }

/** The number of rows per transaction. */
export function batchSizeOf({ isFile }: Pick<Transacting, 'isFile'>): number {
  return isFile ? batchSizes.file : batchSizes.network
}

/**
 * Imports expenses, one batch per transaction, and yields each row's result once its batch is stored. A row whose identity the organization knows,
 * even a deleted one, is skipped, so that an interrupted import can be repeated. A row with the file's own identity and new content is `changed`, and
 * with `update` is updated by the rules of any edit. A row that cannot be stored leaves no trace. Throws {@link DomainError} if the actor may not
 * import or the organization is expired.
 */
export async function* importExpenses(
  store: Transacting,
  actor: Actor,
  { rows, ...options }: ImportOptions & { rows: Iterable<ImportedExpense | TableProblem> },
): AsyncGenerator<ImportOutcome> {
  const batchSize = batchSizeOf(store)
  let batch: Batch['rows'] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield* await importBatch(store, actor, { rows: batch, options })
    batch = []
  }
  if (batch.length > 0) yield* await importBatch(store, actor, { rows: batch, options })
}

/** A store for an import: if others write, too, each batch may wait for its turn. */
export type Transacting = Pick<Store, 'transact' | 'isFile'>

interface Batch {
  readonly rows: Array<ImportedExpense | TableProblem>
  readonly options: ImportOptions
}

/** Imports expenses in the caller's transaction; returns each row's result. Throws {@link DomainError} like {@link importExpenses}. */
export async function importRows(tx: Tx, options: ImportOptions, rows: readonly ImportedExpense[]): Promise<ImportOutcome[]> {
  const importer = await Importer.start(tx, { options, rows, isCareful: true })
  const outcomes: ImportOutcome[] = []
  for (const row of rows) outcomes.push(await importer.import(row))
  await importer.end()
  return outcomes
}

/** Rolls back a dry run's transaction and carries its results. */
class DryRunDone extends Error {
  constructor(readonly outcomes: ImportOutcome[]) {
    super('dry run')
  }
}

/** A row failed after a part of it may have been written: its batch must be repeated carefully. */
class HalfWritten extends Error {}

async function importBatch(store: Transacting, actor: Actor, batch: Batch): Promise<ImportOutcome[]> {
  try {
    return await tryBatch(store, actor, { ...batch, isCareful: false })
  } catch (error) {
    if (!(error instanceof HalfWritten)) throw error
    return tryBatch(store, actor, { ...batch, isCareful: true })
  }
}

async function tryBatch(
  store: Transacting,
  actor: Actor,
  { rows, options, isCareful }: Batch & { isCareful: boolean },
): Promise<ImportOutcome[]> {
  try {
    return await store.transact(actor, async (tx) => {
      const read = rows.flatMap((row) => ('reason' in row ? [] : [row]))
      const importer = await Importer.start(tx, { options, rows: read, isCareful })
      const outcomes: ImportOutcome[] = []
      for (const row of rows) outcomes.push('reason' in row ? { kind: 'unread', problem: row } : await importer.import(row))
      await importer.end()
      if (options.isDryRun) throw new DryRunDone(outcomes)
      return outcomes
    })
  } catch (error) {
    if (!(error instanceof DryRunDone)) throw error
    return error.outcomes
  }
}

/** Expenses per statement. */
const storedTogether = 20

/** Imports rows in one transaction; taken rows are stored by {@link Importer.end}. */
class Importer {
  #claimants: Claimants | undefined
  readonly #taken: NewExpense[] = []
  readonly #stored: NewExpense[] = []
  readonly #tags = new Map<string, Array<Row<'tags'>>>()
  /** What was stored before for each external id that has not had its turn. */
  readonly #known = new Map<string, Row<'expenses'> | undefined>()

  readonly organization: Row<'organizations'>
  readonly options: ImportOptions
  /** Uses a savepoint per row, which makes the full-text index write a segment per row; so only if needed. */
  readonly isCareful: boolean

  private constructor(
    readonly tx: Tx,
    { organization, options, isCareful }: { organization: Row<'organizations'>; options: ImportOptions; isCareful: boolean },
  ) {
    this.organization = organization
    this.options = options
    this.isCareful = isCareful
  }

  static async start(
    tx: Tx,
    { options, rows, isCareful }: { options: ImportOptions; rows: readonly ImportedExpense[]; isCareful: boolean },
  ): Promise<Importer> {
    const { organization_id } = options
    const role = await findRole(tx, { organization_id, user_id: tx.actor.user_id })
    const organization = await getWritableOrganization(tx, organization_id)
    if (!may('expenses.import', { role })) throw forbidden()
    const importer = new Importer(tx, { organization, options, isCareful })
    await importer.#lookUp(rows.map(({ external_id }) => external_id))
    return importer
  }

  async #lookUp(external_ids: readonly string[]): Promise<void> {
    const found = await listImported(this.tx, { payer_id: this.organization.id, external_ids: [...new Set(external_ids)] })
    for (const id of external_ids) this.#known.set(id, found.get(id))
  }

  async import(row: ImportedExpense): Promise<ImportOutcome> {
    if (row.is_repeated) return { kind: 'skipped' }
    if (!this.#known.has(row.external_id)) {
      await this.store()
      await this.#lookUp([row.external_id])
    }
    const known = this.#known.get(row.external_id)
    this.#known.delete(row.external_id)
    if (known !== undefined && (!row.has_own_id || known.deleted_at !== null)) return { kind: 'skipped' }
    try {
      const values = readImportedValues(row, this.options.currency)
      if (known !== undefined) return await this.#compare(known, row, values)
      assertCurrencyInUse(values.currency)
      await this.#guard((tx) => this.#take(tx, row, values))
      return { kind: 'imported', amount_minor: values.amount_minor, currency: values.currency }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return { kind: 'refused', problems: toProblems(row.line, error) }
    }
  }

  async #compare(expense: Row<'expenses'>, row: ImportedExpense, values: ImportedValues): Promise<ImportOutcome> {
    const { isUpdate = false, stated = new Set() } = this.options
    const receiver_id = (await this.#people(this.tx)).find(row)
    const changes = await listImportedChanges(this.tx, { expense, row, values, receiver_id, stated })
    if (changes.length === 0) return { kind: 'skipped' }
    if (isUpdate) await this.#guard((tx) => this.#update(tx, { expense, row, values, changes }))
    return { kind: 'changed', line: row.line, external_id: row.external_id, expense_id: expense.id, changes, isUpdated: isUpdate }
  }

  async #update(tx: Tx, { expense, row, values, changes }: Update): Promise<void> {
    // The same expense may follow under our own identity.
    for (const [external_id, known] of this.#known) if (known?.id === expense.id) this.#known.delete(external_id)
    const differs = (name: string) => changes.some(({ attribute }) => attribute === name)
    await updateExpense(tx, expense.id, {
      ...((differs('amount') || differs('currency')) && { amount: row.amount, currency: values.currency }),
      ...(differs('occurred_at') && { occurred_at: values.occurred_at }),
      ...(differs('description') && { description: values.description }),
      ...Object.fromEntries(importedTexts.filter(differs).map((name) => [name, values[name]])),
      ...(differs('tags') && { tags: [...row.tag_names] }),
      ...(differs('receiver') && { receiver: await (await this.#people(tx)).findOrMake(tx, row) }),
    })
  }

  /** Runs work so that nothing of a failure remains. */
  async #guard<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await (this.isCareful ? this.tx.savepoint(work) : work(this.tx))
    } catch (error) {
      if (!this.isCareful && error instanceof DomainError) throw new HalfWritten()
      // Users and tags that the row created are rolled back.
      this.#claimants = undefined
      this.#tags.clear()
      this.#taken.length = 0
      throw error
    }
  }

  async #people(tx: Tx): Promise<Claimants> {
    this.#claimants ??= await Claimants.load(tx, this.organization.id, await this.#profile())
    return this.#claimants
  }

  /** Makes an expense from a row, to be stored with the next ones; carefully: at once. */
  async #take(tx: Tx, row: ImportedExpense, values: ImportedValues): Promise<void> {
    const tags = await this.#tagsOf(tx, row.tag_names)
    const receiver_id = await (await this.#people(tx)).findOrMake(tx, row)
    const parties = { payer_id: this.organization.id, receiver_id, author_id: tx.actor.user_id }
    this.#taken.push({ values: { ...values, ...parties }, tags })
    if (this.isCareful || this.#taken.length >= storedTogether) await this.store()
  }

  /** Stores the taken expenses and their entries in the trail. */
  async store(): Promise<void> {
    const { tx, organization } = this
    const taken = this.#taken.splice(0)
    if (taken.length === 0) return
    const activities = (await insertExpenses(tx, taken)).map(({ id, amount_minor, currency }) => ({
      organization_id: organization.id,
      subject: { type: 'Expense' as const, id },
      event: 'expense_created' as const,
      details: [
        { attribute: 'amount' as const, from: null, to: fromMinor(amount_minor, currency) },
        { attribute: 'currency' as const, from: null, to: currency },
      ],
    }))
    await recordActivities(tx, activities)
    this.#stored.push(...taken)
  }

  /** Stores the remaining expenses, and registers their suppliers. */
  async end(): Promise<void> {
    await this.store()
    await meetSuppliers(this.tx, this.#stored)
  }

  async #tagsOf(tx: Tx, names: readonly string[]): Promise<ReadonlyArray<Row<'tags'>>> {
    const key = JSON.stringify(names)
    const known = this.#tags.get(key)
    if (known) return known
    const tags = await resolveTags(tx, this.organization, names)
    this.#tags.set(key, tags)
    return tags
  }

  /** New claimants get the importer's settings. */
  async #profile() {
    const { tx, options } = this
    const actor = await findUser(tx, tx.actor.user_id)
    return {
      default_currency: options.currency,
      locale: actor ? languageOf(actor) : defaultLanguage,
      timezone: actor?.timezone ?? 'Etc/UTC',
    }
  }
}

interface Update {
  readonly expense: Row<'expenses'>
  readonly row: ImportedExpense
  readonly values: ImportedValues
  readonly changes: readonly ImportedChange[]
}

/** The problems of a row. Throws errors that concern the whole import. */
function toProblems(line: number, error: DomainError): ImportProblem[] {
  const { refusal } = error
  if (refusal.kind === 'not_possible') return [{ line, attribute: null, refusal }]
  if (refusal.kind !== 'invalid') throw error
  return Object.entries(refusal.fields).flatMap(([attribute, errors]) =>
    errors.map((one) => ({ line, attribute, refusal: { kind: 'invalid' as const, error: one } })),
  )
}
