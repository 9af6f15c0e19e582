import { systemClock } from '#main/clock'
import { Store } from '#main/store/core/store'
import { importExpenses } from '#main/use-cases/expenses/import-expenses'
import { openBare, prepareInsert } from './floor'
import type { Comparison } from './requests'
import { type Seeded, createRandom } from './seed'
import type { ImportedExpense } from '#main/use-cases/expenses/read-imported-values'

/** The name of the row of imports. */
export const importRow = 'import of rows'

function toRows(count: number, from = 0): ImportedExpense[] {
  const random = createRandom(3 + from)
  return Array.from({ length: count }, (_, index) => from + index).map((line) => ({
    line: line + 1,
    receiver_name: `Member Number${random(200)}`,
    tag_names: [`tag${random(40)}`],
    occurred_at: `2025-0${1 + random(9)}-1${random(10)}`,
    amount: `${1 + random(900)}.${10 + random(90)}`,
    description: `Imported ${line}`,
    external_id: `bench-${line}`,
  }))
}

/** Imports rows through the use case, beside bare inserts of as many rows in transactions of the same size. */
export async function measureImport({ program, floor, count }: { program: Seeded; floor: Seeded; count: number }): Promise<Comparison> {
  const rows = toRows(count)
  const store = await Store.open(program.folder, { clock: systemClock, isOwner: false })
  const start = performance.now()
  await importAll(store, program, rows)
  const imported = rows.length
  const seconds = (performance.now() - start) / 1000
  await store.close()
  const bare = insertBare(floor, rows)
  return { name: importRow, unit: 'rows/s', program: imported / seconds, floor: bare, ratio: imported / seconds / bare }
}

/** Imports rows that no earlier call of another `from` imported. */
export function importRows(store: Store, seeded: Seeded, { count, from }: { count: number; from: number }): Promise<void> {
  return importAll(store, seeded, toRows(count, from))
}

async function importAll(store: Store, { admin_id, organization_id }: Seeded, rows: readonly ImportedExpense[]): Promise<void> {
  const actor = { user_id: admin_id, origin: 'bench', request_id: null, if_match: null }
  for await (const outcome of importExpenses(store, actor, { rows, organization_id, currency: 'BRL' }))
    if (outcome.kind !== 'imported') throw new Error(`A row was not imported: ${JSON.stringify(outcome)}`)
}

function insertBare({ folder, organization_id, receiver_ids }: Seeded, rows: readonly ImportedExpense[]): number {
  const db = openBare(folder)
  const insert = prepareInsert(db)
  const start = performance.now()
  for (let done = 0; done < rows.length; done += 500)
    db.transaction(() => {
      for (const { external_id, amount, occurred_at, description, line } of rows.slice(done, done + 500)) {
        const amount_minor = Math.round(Number(amount) * 100)
        const receiver_id = receiver_ids[line % 200] ?? 0
        insert({
          uid: external_id,
          payer_id: organization_id,
          receiver_id,
          amount_minor,
          at: '2026-01-01T00:00:00Z',
          occurred_at,
          description,
        })
      }
    })()
  const perSecond = (rows.length / (performance.now() - start)) * 1000
  db.close()
  return perSecond
}
