import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { apiOf } from '#test/support/instance'
import { ofxOf } from '#test/support/statements/upload'
import type { Seeded } from '../seed'
import { startProgramWith } from '../servers'

/** How long the thread that responds stands still while a file that takes long is read again and again: everyone else waits that much longer. */
export interface HostileFigures {
  readonly name: string
  readonly file_ms: number
  readonly status: number
  readonly p99_ms: number
  readonly max_ms: number
}

const times = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index))
const coffee = { day: '2026-03-04', amount: '-5.00', name: 'COFFEE' }
const ofx = (count: number) => ofxOf(Array.from({ length: count }, () => coffee))

/** Files that once held all requests, and what they are sent to. */
const files: ReadonlyArray<readonly [name: string, to: 'statement' | 'import' | 'expense', make: () => string]> = [
  ['a statement of 16,000 equal lines', 'statement', () => ofx(16_000)],
  ['a statement of 300,000 equal lines', 'statement', () => ofx(300_000)],
  ['a CSV statement of unclosed quotes', 'statement', () => `Date,Description,Amount\n${'"a\n'.repeat(100_000)}`],
  ['a CSV of 100,000 columns', 'import', () => `Name,Date,Amount,${times(100_000, (index) => `c${index}`).join()}\n`],
  [
    'a CSV with an amount of spaces',
    'import',
    () => `Name,Date,Amount\nAda,2026-03-04,"€${' '.repeat(30_000)}1${' '.repeat(30_000)}1 €€"\n`,
  ],
  ['a JSON body of 100,000 tags', 'expense', () => JSON.stringify({ payer: 1, tags: times(100_000, (index) => `t${index}`).join() })],
  ['a JSON body of 100,000 names', 'expense', () => `{${times(80_000, (index) => `"a${index}":1`).join()}}`],
  ['a nested JSON body', 'expense', () => '['.repeat(500_000)],
]

const load = join(import.meta.dirname, '../../test/bench/loop-delay.mjs')
const delays = z.object({ p99_ms: z.number(), max_ms: z.number() })

/** Sends each file so often to a server of its own, and says how long that stood still. The files are sent from this process, which itself stands still meanwhile. */
export async function measureHostile({ folder, token, organization_id }: Seeded, repeats: number): Promise<HostileFigures[]> {
  const figures: HostileFigures[] = []
  for (const [name, to, make] of files) {
    const file = make()
    const report = join(folder, 'loop-delay.json')
    const program = await startProgramWith(folder, {
      load,
      args: [],
      env: { LOOP_DELAY_FILE: report, OUTLAY_SNAPSHOT_MINUTES: '0', OUTLAY_SEAL_MS: '86400000' },
    })
    try {
      const api = apiOf(program.url, token)
      const card = { name: 'Card', number: '4000000000000002', expiration_date: '08/29', organization_id }
      const { body } = await api.send('POST', '/corporative_cards', card)
      const places = {
        statement: `/organizations/${organization_id}/statements/preview?corporative_card_id=${body.id}`,
        import: `/organizations/${organization_id}/imports`,
        expense: '/expenses',
      }
      const type = to === 'expense' ? 'application/json' : 'application/octet-stream'
      const send = async () => {
        const response = await api.send('POST', places[to], file, { 'content-type': type })
        if (to === 'import' && response.status === 201) await readToEnd(api, `${places.import}/${response.body.id}`)
        return response.status
      }
      // What a start takes, and loading what is loaded with the first, is not what is asked for.
      await send()
      process.kill(program.pid, 'SIGUSR2')
      const startedAt = performance.now()
      let status = 0
      for (let count = 0; count < repeats; count += 1) status = await send()
      figures.push({ name, status, file_ms: (performance.now() - startedAt) / repeats, p99_ms: 0, max_ms: 0 })
    } finally {
      await program.stop()
    }
    const last = figures.at(-1)
    if (last) figures.splice(-1, 1, { ...last, ...delays.parse(JSON.parse(readFileSync(report, 'utf8'))) })
  }
  return figures
}

/** Waits until a table is read, and removes it. */
async function readToEnd(api: ReturnType<typeof apiOf>, path: string): Promise<void> {
  for (;;) {
    const { body } = await api.get(path)
    if (body.state !== 'reading') break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await api.send('DELETE', path)
}
