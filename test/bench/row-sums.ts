import { cpSync, rmSync } from 'node:fs'
import { expenseRoutes } from '#shared/contract/expenses'
import { systemClock } from '#main/clock'
import { Store } from '#main/store/core/store'
import { createExpense } from '#main/use-cases/expenses/create-expense'
import { importRows } from './imports'
import type { Seeded } from './seed'

/** Beyond the rows that the import before it brought. */
const measuredFrom = 1_000_000

/** What the checksums of rows cost a write: milliseconds of the clock and of the processor for each, with them and without. */
export interface RowSumFigure {
  readonly name: string
  readonly with_ms: number
  readonly without_ms: number
  readonly with_cpu_ms: number
  readonly without_cpu_ms: number
}

const actorOf = ({ admin_id }: Seeded) => ({ user_id: admin_id, origin: 'bench', request_id: null, if_match: null })

async function openOn(folder: string, seeded: Seeded, { hasSums }: { hasSums: boolean }): Promise<Store> {
  const store = await Store.open(folder, { clock: systemClock, isOwner: false })
  if (!hasSums)
    await store.transact(actorOf(seeded), async (tx) => {
      const triggers = await tx.writeAll(
        "SELECT name FROM sqlite_temp_schema WHERE type = 'trigger' AND name LIKE 'sum\\_%' ESCAPE '\\'",
        [],
      )
      if (triggers.length === 0) throw new Error('No row is summed.')
      for (const { name } of triggers) await tx.write(`DROP TRIGGER temp."${String(name)}"`, [])
      return Promise.resolve()
    })
  return store
}

async function record(store: Store, seeded: Seeded, count: number): Promise<void> {
  const { organization_id, receiver_ids } = seeded
  for (let made = 0; made < count; made += 1) {
    const receiver_id = receiver_ids[made % receiver_ids.length]
    const parties = { payer: { id: organization_id, type: 'Organization' }, receiver: { id: receiver_id, type: 'User' } }
    const body = { ...parties, amount: 12.5, occurred_at: '2026-01-05', description: `Summed ${made}` }
    await store.transact(actorOf(seeded), (tx) => createExpense(tx, expenseRoutes.create.body.parse(body)))
  }
}

/** Records and imports by turns on two copies of a folder, one of which keeps no sums; the middle one of the rounds counts. */
export async function measureRowSums(seeded: Seeded, { rounds, count }: { rounds: number; count: number }): Promise<RowSumFigure[]> {
  const folders = { with: `${seeded.folder}-summed`, without: `${seeded.folder}-unsummed` }
  for (const folder of Object.values(folders)) cpSync(seeded.folder, folder, { recursive: true })
  const stores = {
    with: await openOn(folders.with, seeded, { hasSums: true }),
    without: await openOn(folders.without, seeded, { hasSums: false }),
  }
  try {
    const kinds = [
      ['record an expense, each its own transaction', (store: Store) => record(store, seeded, count)],
      ['import', (store: Store, round: number) => importRows(store, seeded, { count: count * 5, from: measuredFrom + round * count * 5 })],
    ] as const
    const figures: RowSumFigure[] = []
    for (const [name, work] of kinds) {
      const times: Record<string, number[]> = { with: [], without: [], with_cpu: [], without_cpu: [] }
      const rows = name === 'import' ? count * 5 : count
      for (let round = 0; round <= rounds; round += 1)
        for (const side of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
          const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
          await work(stores[side], round)
          const used = process.cpuUsage(cpu)
          // The first round warms up.
          if (round === 0) continue
          times[side]?.push((performance.now() - startedAt) / rows)
          times[`${side}_cpu`]?.push((used.user + used.system) / 1000 / rows)
        }
      const middle = (kind: string) => times[kind]?.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
      figures.push({
        name,
        ...{ with_ms: middle('with'), without_ms: middle('without') },
        ...{ with_cpu_ms: middle('with_cpu'), without_cpu_ms: middle('without_cpu') },
      })
    }
    return figures
  } finally {
    for (const store of Object.values(stores)) await store.close()
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
  }
}
