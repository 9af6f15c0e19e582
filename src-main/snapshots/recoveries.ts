import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Missing, MissingExpense, Recovery } from '#shared/contract/instance/recoveries'
import { fromMinor } from '#shared/domain/money'
import type { Clock } from '#main/clock'
import { runInThread } from '#main/processes/thread'
import { databaseFiles } from '#main/store/core/database-files'
import { findLogDamage } from '#main/store/core/log-damage'
import { type Report, listReports, nothingMissing, writeReport } from './reports'

/** Damage quarantined at starts. */
export interface Recoveries {
  /** What nobody has acknowledged, the oldest first. */
  list(): Promise<Recovery[]>
  /** Whether there was one of this id. */
  acknowledge(id: string): Promise<boolean>
  /** Reads the missing records out of a quarantined database in the background, if no earlier start has. */
  examine(): Promise<void>
  close(): Promise<void>
}

/** How many of the missing expenses are named. */
const namedExpenses = 200

const cell = z.union([z.string(), z.number(), z.null()])
const salvaged = z.object({
  is_complete: z.boolean(),
  rows: z.record(z.string(), z.array(z.record(z.string(), cell))),
  files_missing: z.array(z.string()),
  files_unnamed: z.array(z.string()),
})
type SalvagedRows = z.infer<typeof salvaged>['rows']

const expenseRow = z.object({
  id: z.int(),
  description: z.string().nullable(),
  amount_minor: z.int(),
  currency: z.string(),
  occurred_at: z.string(),
})
const changeRow = z.object({ table_name: z.string(), record_id: z.int(), operation: z.enum(['insert', 'update', 'delete']) })
const sentStates = ['settled', 'discarded']

/** What recoveries need. */
export interface RecoveryParts {
  readonly data_folder: string
  /** Whether uploaded files are in the folder, and not in a bucket; they are, if not given. */
  readonly hasFiles?: boolean
  readonly clock: Clock
  readonly log: Logger
  /** Called when the list has changed. */
  readonly onChange?: () => void
}

/** The recoveries of a data folder. */
export function createRecoveries({ data_folder, hasFiles = true, clock, log, onChange }: RecoveryParts): Recoveries {
  const ending = new AbortController()
  let examining: Promise<void> = Promise.resolve()
  const write = async (report: Report) => {
    await writeReport(report)
    onChange?.()
  }

  const examineOne = async (report: Report) => {
    try {
      const missing = await findMissing(report, { data_folder, hasFiles, signal: ending.signal })
      // It may have been acknowledged meanwhile.
      const now = (await listReports(data_folder)).find(({ id }) => id === report.id) ?? report
      await write({ ...now, missing })
    } catch (error) {
      if (ending.signal.aborted) return
      log.error({ err: error, folder: report.folder }, 'what is missing could not be read')
      await write({ ...report, missing: nothingMissing(false) })
    }
  }
  return {
    list: async () =>
      (await listReports(data_folder))
        .filter(({ state, acknowledged_at }) => state === 'done' && acknowledged_at === null)
        .map(({ state: _state, last: _last, acknowledged_at: _at, ...shown }) => shown),
    acknowledge: async (id) => {
      const report = (await listReports(data_folder)).find((one) => one.id === id && one.acknowledged_at === null)
      if (report) await write({ ...report, acknowledged_at: clock.now().toISOString() })
      return report !== undefined
    },
    examine: () => {
      examining = examining.then(async () => {
        for (const report of await listReports(data_folder)) if (report.missing === null) await examineOne(report)
      })
      // What could not be written down now is looked for at the next start.
      examining = examining.catch((error: unknown) => log.error({ err: error }, 'what is missing could not be written down'))
      return examining
    },
    close: async () => {
      ending.abort()
      await examining
    },
  }
}

async function findMissing(
  report: Report,
  { data_folder, hasFiles, signal }: Pick<RecoveryParts, 'data_folder' | 'hasFiles'> & { signal: AbortSignal },
): Promise<Missing> {
  const { folder, last, is_replica, found_at } = report
  const [sound] = databaseFiles(data_folder)
  const [database, log] = databaseFiles(folder)
  const to = join(folder, 'missing.json')
  const scratch = join(folder, 'reading')
  const task = { files: [database, log], scratch, sound, last, blobs: hasFiles ? join(data_folder, 'blobs') : null, found_at, to }
  const { rows, ...found } = salvaged.parse(await runInThread({ name: 'salvage', task }, { signal }))
  await rename(`${to}.part`, to)
  // SQLite reads a log up to its damage only, and says nothing of the rest.
  const is_complete = found.is_complete && findLogDamage(log) === undefined
  const counts = is_replica ? countUnsent(rows) : countChanged(rows)
  const [files_missing, files_unnamed] = [found.files_missing.length, found.files_unnamed.length]
  const hasAny = Object.keys(counts).length + files_missing + files_unnamed > 0
  const expenses = is_replica ? [] : nameExpenses(rows)
  return { is_complete, counts, expenses, files_missing, files_unnamed, file: hasAny ? basename(to) : null }
}

/** How many records of each kind have changed. */
function countChanged({ change_log = [], activities: _trail, sync_journal: _journal, ...rows }: SalvagedRows): Record<string, number> {
  const changed = new Map<string, Set<number>>()
  const note = (table: string, id: number) => changed.set(table, (changed.get(table) ?? new Set()).add(id))
  for (const row of change_log) {
    const { data } = changeRow.safeParse(row)
    if (data) note(data.table_name, data.record_id)
  }
  for (const [table, found] of Object.entries(rows)) for (const { id } of found) note(table, Number(id))
  return Object.fromEntries([...changed].map(([table, ids]) => [table, ids.size]))
}

/** On a replica what had been sent comes back from the remote. */
function countUnsent({ sync_journal = [] }: SalvagedRows): Record<string, number> {
  const operations = sync_journal.filter(({ state }) => !sentStates.includes(String(state))).length
  return operations === 0 ? {} : { operations }
}

function nameExpenses({ expenses = [], change_log = [] }: SalvagedRows): MissingExpense[] {
  const changes = new Map<number, MissingExpense['change']>()
  for (const row of change_log) {
    const { data } = changeRow.safeParse(row)
    if (data?.table_name !== 'expenses') continue
    const isNew = changes.get(data.record_id) === 'insert' && data.operation === 'update'
    if (!isNew) changes.set(data.record_id, data.operation)
  }
  return expenses.slice(0, namedExpenses).flatMap((row) => {
    const { data } = expenseRow.safeParse(row)
    if (!data) return []
    const { id, description, amount_minor, currency, occurred_at } = data
    const change = changes.get(id) ?? 'insert'
    return [{ id, change, description, amount: fromMinor(amount_minor, currency), currency, occurred_at }]
  })
}
