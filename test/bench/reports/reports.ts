import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiOf } from '#test/support/instance'
import { systemClock } from '#main/clock'
import { Store } from '#main/store/core/store'
import { recordActivities } from '#main/store/records/conversations/activity-writer'
import { openBare } from '../floor'
import { type Seeded, seed } from '../seed'
import { startProgramWith } from '../servers'

/** A report, and the plain statement that adds up the same: no rights, no comparison of totals, no names. */
interface Measured {
  readonly name: string
  readonly path: string
  readonly plain: string
}

const counted = 'coalesce(approved_amount_currency, currency), count(*), sum(coalesce(approved_amount_minor, amount_minor))'
const lastMove = (status: string) => `(SELECT max(occurred_at) FROM activities WHERE subject_type = 'Expense' AND subject_id = expenses.id
  AND event = 'expense_status_changed' AND details LIKE '%"to":"${status}"%')`
const reports: readonly Measured[] = [
  {
    name: 'month × tag',
    path: '/reports/spending?group_by=tag&by_month=1',
    plain: `SELECT tag_id, substr(occurred_at, 1, 7), ${counted} FROM expenses LEFT JOIN expense_tags ON expense_id = expenses.id
      WHERE deleted_at IS NULL GROUP BY 1, 2, 3`,
  },
  {
    name: 'claimant',
    path: '/reports/spending?group_by=receiver',
    plain: `SELECT receiver_id, ${counted} FROM expenses WHERE deleted_at IS NULL GROUP BY 1, 2`,
  },
  {
    name: 'times',
    path: '/reports/times?',
    plain: `SELECT created_at, ${lastMove('approved')}, ${lastMove('liquidated')} FROM expenses
      WHERE deleted_at IS NULL AND status IN ('approved', 'liquidated')`,
  },
]

/** Gives the settled expenses the entries of how they came to be. */
async function recordMoves({ folder, admin_id, organization_id }: Seeded): Promise<void> {
  const store = await Store.open(folder, { clock: systemClock, isOwner: false })
  const ids = await store.reader.db.selectFrom('expenses').select('id').where('status', '=', 'liquidated').execute()
  const actor = { user_id: admin_id, origin: 'bench', request_id: null, if_match: null }
  for (let from = 0; from < ids.length; from += 500)
    await store.transact(actor, (tx) =>
      recordActivities(
        tx,
        ids.slice(from, from + 500).flatMap(({ id }) =>
          [
            ['awaiting_analysis', 'approved'],
            ['approved', 'liquidated'],
          ].map(([was, to]) => ({
            organization_id,
            subject: { type: 'Expense' as const, id },
            event: 'expense_status_changed' as const,
            details: [{ attribute: 'status' as const, from: was ?? '', to: to ?? '' }],
          })),
        ),
      ),
    )
  await store.close()
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Asks for each report after a change and again, and its plain statement in turn; then how long reports that were never asked for hold the thread that answers. */
async function measureOne(say: (text: string) => void, seeded: Seeded, rounds: number): Promise<void> {
  const { folder, token, organization_id, expenses } = seeded
  const file = join(folder, 'loop-delay.json')
  const load = join(import.meta.dirname, '../../test/bench/loop-delay.mjs')
  // What was seeded waits to be sealed, which commits and holds the thread: that is another row's.
  const env = { LOOP_DELAY_FILE: file, OUTLAY_SNAPSHOT_MINUTES: '0', OUTLAY_SEAL_MS: '86400000' }
  const program = await startProgramWith(folder, { load, args: [], env })
  const api = apiOf(program.url, token)
  const db = openBare(folder)
  const ask = async (path: string, more = '') => {
    const { status } = await api.get(`${path}&q[payer_id_eq]=${organization_id}${more}`)
    if (status !== 200) throw new Error(`${path} answered ${status}.`)
  }
  try {
    for (const { name, path, plain } of reports) {
      const [after, kept, bare]: [number[], number[], number[]] = [[], [], []]
      const statement = db.prepare(plain)
      await ask(path)
      statement.all()
      for (let round = 0; round < rounds; round += 1) {
        const { status } = await api.send('POST', `/expenses/${1 + round}/comments`, { content: `Changed ${round}` })
        if (status !== 201) throw new Error(`A change answered ${status}.`)
        after.push(await timed(() => ask(path)))
        kept.push(await timed(() => ask(path)))
        bare.push(await timed(() => statement.all()))
      }
      const [first, again, least] = [median(after), median(kept), median(bare)]
      say(
        `${name}, ${expenses} expenses: ${first.toFixed(0)} ms after a change (slowest ${Math.max(...after).toFixed(0)}), ${again.toFixed(1)} ms kept, plain statement ${least.toFixed(0)} ms, medians of ${rounds}`,
      )
    }
    process.kill(program.pid, 'SIGUSR2')
    await sleep(100)
    // Each date makes another question, so nothing is kept, and nothing is written.
    for (let round = 0; round < rounds; round += 1)
      for (const { path } of reports) await ask(path, `&q[occurred_at_gteq]=19${70 + round}-01-01`)
  } finally {
    db.close()
    await program.stop()
  }
  const loop: { p99_ms: number; max_ms: number } = JSON.parse(readFileSync(file, 'utf8'))
  say(`the thread that answers, ${expenses} expenses: held ${loop.max_ms.toFixed(1)} ms at most, 99 % ${loop.p99_ms.toFixed(1)} ms`)
}

/** Measures reports next to plain statements over the same file, at each size. */
export async function measureReports(
  say: (text: string) => void,
  { sizes, rounds }: { sizes: readonly number[]; rounds: number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'outlay-bench-'))
  try {
    for (const expenses of sizes) {
      const seeded = await seed(join(folder, String(expenses)), expenses)
      await recordMoves(seeded)
      await measureOne(say, seeded, rounds)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
