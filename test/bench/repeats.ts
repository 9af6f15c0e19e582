import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from '#db/schema'
import { systemClock } from '#main/clock'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { findRepeats } from '#main/store/records/expenses/repeat-reader'
import { noteReading } from '#main/store/records/files/reading-writer'
import { Store } from '#main/store/core/store'
import { fileSource } from '#main/tables/table-source'
import { planImport } from '#main/tables/plan-import'
import { importExpenses } from '#main/use-cases/expenses/import-expenses'
import type { ImportedExpense } from '#main/use-cases/expenses/read-imported-values'
import { foundOrganization } from '#main/use-cases/organizations/organizations'
import { plantPhotos, plantPictures, plantRows, type Planted } from './repeats/repeat-plan'
import { generateRows } from './repeats/repeat-rows'
import { createRandom, seed } from './seed'

type Expense = Row<'expenses'>

/** What was found of planted repeats, and what else. */
export interface RepeatFigures {
  readonly plan: number
  readonly rows: number
  readonly pairs: number
  /** By kind: how many were planted, and how many of them were found. */
  readonly recall: ReadonlyArray<{ readonly kind: string; readonly planted: number; readonly found: number }>
  /** Pairs of rows that say the same themselves: same claimant, amount and supplier, and the same document or the same day and text. */
  readonly same_in_file: number
  /** Pairs of a planted photo with another purchase of that day and total: it has nothing that tells them apart. */
  readonly either: number
  readonly false_pairs: number
  readonly examples: readonly string[]
}

const rowsGenerated = 12_010
/** So many by what is said of them, and with pictures; and a fifth as many as photos. */
const repeatsPlanted = 1_000

/** The numbers by which repeats are planted: the rules were made with another one. */
export const repeatPlans = [11, 12, 13]

/** Plants repeats of 1,200 purchases into 12,010 rows, or those of a file, and counts which pairs are found. */
export async function measureRepeats(folder: string, { plan, file }: { plan: number; file?: string | undefined }): Promise<RepeatFigures> {
  mkdirSync(folder, { recursive: true })
  const store = await Store.open(folder, { clock: systemClock, isOwner: true })
  try {
    const actor = { user_id: 0, origin: 'bench', request_id: null, if_match: null }
    const profile = { name: 'Ada Admin', email: null, default_currency: 'BRL', locale: 'en' as const, timezone: 'Etc/UTC' }
    const { organization_id, admin_id } = await store.transact(actor, async (outer) => {
      const { organization, user } = await foundOrganization(outer, { organization: 'Acme', admin: profile })
      return { organization_id: organization.id, admin_id: user.id }
    })
    const admin = { ...actor, user_id: admin_id }
    const rows = file === undefined ? generateRows(rowsGenerated) : readRows(file)
    for await (const outcome of importExpenses(store, admin, { rows, organization_id, currency: 'BRL' }))
      if (outcome.kind !== 'imported') throw new Error(`A row was not imported: ${JSON.stringify(outcome)}`)
    const originals = await store.reader.db.selectFrom('expenses').selectAll().orderBy('id').execute()
    const random = createRandom(plan)
    const planted = [
      ...(await plantRows(store, admin, { originals, random, count: repeatsPlanted })),
      ...(await plantPictures(store, admin, { originals, random, count: repeatsPlanted / 5 })),
      ...(await plantPhotos(store, admin, { originals, random, count: repeatsPlanted / 5 })),
    ]
    return { plan, ...(await countPairs(store, { planted, rows: originals.length })) }
  } finally {
    await store.close()
  }
}

function readRows(file: string): ImportedExpense[] {
  return [...planImport(fileSource(file)).rows()].flatMap((row) => (row.kind === 'row' ? [row] : []))
}

async function countPairs(
  store: Store,
  { planted, rows }: { planted: readonly Planted[]; rows: number },
): Promise<Omit<RepeatFigures, 'plan'>> {
  const all = await store.reader.db.selectFrom('expenses').selectAll().orderBy('id').execute()
  const byId = new Map(all.map((row) => [row.id, row]))
  const originalOf = new Map(planted.map(({ id, original_id }) => [id, original_id]))
  const pairs = new Map<string, string>()
  for (const row of all)
    for (const { id, evidence } of await findRepeats(store.reader, row, 'earlier'))
      pairs.set([row.id, id].toSorted((a, b) => a - b).join(' '), evidence.join(' '))
  const isPlanted = new Set(planted.map(({ id, original_id }) => `${original_id} ${id}`))
  const others = [...pairs.keys()]
    .filter((pair) => !isPlanted.has(pair))
    .flatMap((pair) => {
      const [one, other] = pair.split(' ').map((id) => byId.get(originalOf.get(Number(id)) ?? Number(id)))
      return one && other && one.id !== other.id ? [[one, other, pairs.get(pair) ?? ''] as const] : []
    })
  const unsaid = others.filter(([one, other]) => !saysTheSame(one, other))
  const falsePairs = unsaid.filter(([one, other, evidence]) => evidence !== 'receipt' || !isOfOneDayAndAmount(one, other))
  const kinds = [...new Set(planted.map(({ kind }) => kind))]
  return {
    rows,
    pairs: pairs.size,
    recall: kinds.map((kind) => {
      const own = planted.filter((one) => one.kind === kind)
      return { kind, planted: own.length, found: own.filter(({ id, original_id }) => pairs.has(`${original_id} ${id}`)).length }
    }),
    same_in_file: others.length - unsaid.length,
    either: unsaid.length - falsePairs.length,
    false_pairs: falsePairs.length,
    examples: falsePairs.map(([one, other, evidence]) => `${evidence}: ${describe(one)} | ${describe(other)}`),
  }
}

function describe({ occurred_at, receiver_id, amount_minor, description }: Expense): string {
  return `${occurred_at.slice(0, 10)} ${receiver_id} ${amount_minor} ${description ?? ''}`
}

const documentOf = (row: Expense) =>
  /· doc (\S+)/
    .exec(row.description ?? '')?.[1]
    ?.replaceAll(/[^0-9a-z]/gi, '')
    .replace(/^0+/, '')

const isOfOneDayAndAmount = (one: Expense, other: Expense) =>
  one.occurred_at.slice(0, 10) === other.occurred_at.slice(0, 10) && one.amount_minor === other.amount_minor

/** Whether two rows of a file cannot be told apart by what a repeat is. */
function saysTheSame(one: Expense, other: Expense): boolean {
  const isOne = one.receiver_id === other.receiver_id && one.supplier_tax_id === other.supplier_tax_id
  const [own, others] = [documentOf(one), documentOf(other)]
  // Parts of one document have other amounts.
  if (isOne && own !== undefined && own === others) return true
  if (!isOne || one.amount_minor !== other.amount_minor) return false
  return one.occurred_at === other.occurred_at && lettersOf(one) === lettersOf(other)
}

const lettersOf = ({ description }: Expense) => (description ?? '').toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')

/** Times in microseconds: by the clock, and of the processor on average, which other programs do not lengthen; the system counts it in ticks of 4 ms. */
interface Times {
  readonly clock: { readonly median: number; readonly p99: number }
  readonly processor: number
}

/** What looking for repeats costs a write. */
export interface RepeatCost {
  readonly expenses: number
  readonly pictures: number
  readonly plain: Times
  readonly pictured: Times
}

/** Measures what a write waits for in an organization of so many expenses, and with so many pictures. */
export async function measureRepeatCost(folder: string, { expenses, samples }: { expenses: number; samples: number }): Promise<RepeatCost> {
  const { organization_id } = await seed(folder, expenses)
  const store = await Store.open(folder, { clock: systemClock, isOwner: true })
  try {
    const random = createRandom(5)
    const pictures = await plantHashes(store, { count: expenses / 5, random })
    const ids = Array.from({ length: samples }, () => 1 + random(expenses))
    const time = async (receiptsOf: (index: number) => { picture: string }[]) => {
      const clock: number[] = []
      let processor = 0
      for (const [index, id] of ids.entries()) {
        const row = await findExpense(store.reader, id)
        if (row?.payer_id !== organization_id) continue
        const receipts = receiptsOf(index).map(({ picture }) => ({ sha256: `none ${index}`, invoice_key: null, picture }))
        const [start, used] = [performance.now(), process.threadCpuUsage()]
        await findRepeats(store.reader, { ...row, receipts }, 'earlier')
        const { user, system } = process.threadCpuUsage(used)
        clock.push((performance.now() - start) * 1000)
        processor += user + system
      }
      return { clock: spreadOf(clock), processor: processor / clock.length }
    }
    const plain = await time(() => [])
    const pictured = await time((index) => [{ picture: pictures[index % pictures.length] ?? '' }])
    return { expenses, pictures: pictures.length, plain, pictured }
  } finally {
    await store.close()
  }
}

function spreadOf(times: readonly number[]): { median: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b)
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}

/** Stores perceptual hashes as alike as those of receipts are: each a handful of forms with a third of the bits changed. */
async function plantHashes(store: Store, { count, random }: { count: number; random: (below: number) => number }): Promise<string[]> {
  const digit = () => random(16).toString(16)
  const forms = Array.from({ length: 12 }, () => Array.from({ length: 64 }, digit))
  const hashes = Array.from({ length: count }, () => (forms[random(12)] ?? []).map((own) => (random(2) === 0 ? own : digit())).join(''))
  const actor = { user_id: 1, origin: 'bench', request_id: null, if_match: null }
  for (let done = 0; done < count; done += 2000)
    await store.transact(actor, async (tx) => {
      for (const [index, picture_hash] of hashes.slice(done, done + 2000).entries()) {
        const sha256 = `picture-${done + index}`
        await tx.write('INSERT INTO blobs (sha256, bytes, md5, content_type, created_at) VALUES (?, 1, ?, ?, ?)', [
          ...[sha256, sha256, 'image/jpeg', tx.now],
        ])
        await noteReading(tx, { sha256, content_type: 'image/jpeg', picture_hash })
      }
    })
  return hashes
}

/** Prints what was found. */
export function printRepeats(figures: RepeatFigures, say: (text: string) => void): void {
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
  say(`\nplan ${figures.plan}: ${figures.rows} rows, ${figures.pairs} pairs found`)
  for (const { kind, planted, found } of figures.recall)
    say(`${kind.padEnd(44)}${`${found} of ${planted}`.padStart(14)}${percent(found, planted).padStart(10)}`)
  say(`rows that say the same in the file itself${String(figures.same_in_file).padStart(17)} pairs`)
  say(`photos that are of either of two purchases${String(figures.either).padStart(16)} pairs`)
  say(`false pairs${String(figures.false_pairs).padStart(47)}, one in ${Math.round(figures.rows / Math.max(1, figures.false_pairs))} rows`)
  if (process.env.OUTLAY_BENCH_EXAMPLES !== undefined) figures.examples.forEach((text) => say(`  ${text}`))
}

/** Prints what looking for repeats costs a write. */
export function printRepeatCost(cost: RepeatCost, say: (text: string) => void): void {
  const micros = (value: number) => `${value.toFixed(0)} us`
  say(`\ncost at ${cost.expenses} expenses and ${cost.pictures} pictures`)
  for (const [name, { clock, processor }] of [['by what it says', cost.plain] as const, ['with a picture', cost.pictured] as const]) {
    say(`${name.padEnd(20)} median ${micros(clock.median)}, 99 % ${micros(clock.p99)}; processor ${micros(processor)} on average`)
  }
}

/** The folder of one measurement. */
export const repeatFolder = (folder: string, name: string) => join(folder, name)
