import { apiOf } from '#test/support/instance'
import { ofxOf } from '#test/support/statements/upload'
import { type Beside, measureBeside } from './paced'
import type { Seeded } from './seed'
import { startProgram } from './servers'

/** What other callers notice while a file that takes long is read again and again. */
export interface HostileFigures extends Beside {
  readonly name: string
  readonly file_ms: number
  readonly status: number
}

const pace = 100
const times = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index))
const coffee = { day: '2026-03-04', amount: '-5.00', name: 'COFFEE' }
const ofx = (count: number) => ofxOf(Array.from({ length: count }, () => coffee))

/** Files that once held all requests, and what they are sent to. */
const files: ReadonlyArray<readonly [name: string, to: 'statement' | 'import' | 'expense', make: () => string]> = [
  ['a statement of 16,000 equal lines', 'statement', () => ofx(16_000)],
  ['a statement of 300,000 equal lines', 'statement', () => ofx(300_000)],
  ['a CSV statement of unclosed quotes', 'statement', () => `Date,Description,Amount\n${'"a\n'.repeat(100_000)}`],
  ['a CSV of 100,000 columns', 'import', () => `Name,Date,Amount,${times(100_000, (index) => `c${index}`).join()}\n`],
  ['a CSV with an amount of spaces', 'import', () => `Name,Date,Amount\nAda,2026-03-04,"€${' '.repeat(30_000)}1${' '.repeat(30_000)}1 €€"\n`],
  ['a JSON body of 100,000 tags', 'expense', () => JSON.stringify({ payer: 1, tags: times(100_000, (index) => `t${index}`).join() })],
  ['a JSON body of 100,000 names', 'expense', () => `{${times(80_000, (index) => `"a${index}":1`).join()}}`],
  ['a nested JSON body', 'expense', () => '['.repeat(500_000)],
]

/** Sends each file without a pause, beside a reader who asks for single expenses and the newest thirty. */
export async function measureHostile({ folder, token, organization_id }: Seeded, seconds: number): Promise<HostileFigures[]> {
  const program = await startProgram(folder)
  const api = apiOf(program.url, token)
  const figures: HostileFigures[] = []
  try {
    const card = { name: 'Card', number: '4000000000000002', expiration_date: '08/29', organization_id }
    const { body } = await api.send('POST', '/corporative_cards', card)
    const places = {
      statement: `/organizations/${organization_id}/statements/preview?corporative_card_id=${body.id}`,
      import: `/organizations/${organization_id}/imports`,
      expense: '/expenses',
    }
    for (const [name, to, make] of files) {
      const file = make()
      let [sum, count, last] = [0, 0, 0]
      const type = to === 'expense' ? 'application/json' : 'application/octet-stream'
      const paths = ['/api/v1/expenses/1', '/api/v1/expenses']
      const beside = await measureBeside({ url: program.url, token, paths, pace, seconds }, async () => {
        const startedAt = performance.now()
        const response = await api.send('POST', places[to], file, { 'content-type': type })
        if (to === 'import' && response.status === 201) await readToEnd(api, `${places.import}/${response.body.id}`)
        ;[sum, count, last] = [sum + performance.now() - startedAt, count + 1, response.status]
      })
      figures.push({ name, file_ms: sum / count, status: last, ...beside })
    }
    return figures
  } finally {
    await program.stop()
  }
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
