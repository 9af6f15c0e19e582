import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import type { Servers } from './servers'

/** Writers that repeat each request with its `Idempotency-Key` until it is answered for good. */
export interface RepeatedWrites {
  /** What was acknowledged so far. */
  readonly keys: readonly string[]
  /** How often which other answer was given. */
  readonly failures: ReadonlyMap<string, number>
  /** Waits until so many more are acknowledged. */
  more(count: number): Promise<void>
  /** Ends once each request is answered for good. */
  end(): Promise<void>
}

/** Starts writers, each of which records one expense after another at whichever server has its turn. */
export function startWriters({ any, init }: Servers, writers: number): RepeatedWrites {
  const keys: string[] = []
  const failures = new Map<string, number>()
  let isOver = false
  const record = async (key: string) => {
    const body = { payer: { id: init.organization_id, type: 'Organization' }, amount: 12.5, occurred_at: '2026-03-04', description: key }
    for (;;) {
      const asked = any.send('POST', '/expenses', body, { 'idempotency-key': key })
      const outcome = await asked.then(
        ({ status }) => String(status),
        () => 'no answer',
      )
      if (outcome === '201') return void keys.push(key)
      failures.set(outcome, (failures.get(outcome) ?? 0) + 1)
      await sleep(20)
    }
  }
  const write = async (writer: number) => {
    for (let turn = 0; !isOver; turn += 1) await record(`key ${writer} ${turn}`)
  }
  const writing = Array.from({ length: writers }, (_, writer) => write(writer))
  return {
    keys,
    failures,
    more: async (count) => {
      const enough = keys.length + count
      while (keys.length < enough) await sleep(5)
    },
    end: async () => {
      isOver = true
      await Promise.all(writing)
    },
  }
}

/** Asks a database without the program. */
export async function askDatabase(url: string, text: string): Promise<Array<Readonly<Record<string, unknown>>>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Expects each acknowledged expense once, with one row of the change log and one entry of the trail, and no other. */
export async function expectEachOnce(url: string, keys: readonly string[]): Promise<void> {
  const found = await askDatabase(
    url,
    'SELECT description, count(*)::int AS count FROM expenses GROUP BY description ORDER BY description COLLATE "C"',
  )
  expect(found).toEqual(keys.toSorted().map((description) => ({ description, count: 1 })))
  const [told] = await askDatabase(
    url,
    `SELECT count(*)::int AS told, count(DISTINCT record_id)::int AS records FROM change_log WHERE table_name = 'expenses' AND operation = 'insert'`,
  )
  expect(told).toEqual({ told: keys.length, records: keys.length })
  const [trail] = await askDatabase(
    url,
    `SELECT count(*)::int AS count FROM activities WHERE subject_type = 'Expense' AND event = 'expense_created'`,
  )
  expect(trail).toEqual({ count: keys.length })
}
