import { apiOf } from '#test/support/instance'
import { type Beside, measureBeside } from './paced'
import type { Seeded } from './seed'
import { startProgram } from './servers'

/** How long sums over all expenses take once something has changed, and what other callers notice of them. */
export interface SumFigures extends Beside {
  /** The middle one of all sums by tag and by receiver, each asked for after a change. */
  readonly sum_ms: number
}

/** Requests a second that the reader makes. */
const pace = 100

/** Changes an expense and asks for sums, by turns, beside a reader. */
export async function measureSums({ folder, token, expenses }: Seeded, seconds: number): Promise<SumFigures> {
  const program = await startProgram(folder)
  const api = apiOf(program.url, token)
  const paths = [`/api/v1/expenses/${Math.ceil(expenses / 2)}`]
  const times: number[] = []
  const sum = async (group_by: string) => {
    const startedAt = performance.now()
    const { status } = await api.get(`/expenses/summary?group_by=${group_by}`)
    if (status !== 200) throw new Error(`A sum answered ${status}.`)
    times.push(performance.now() - startedAt)
  }
  const change = async (count: number) => {
    const { status } = await api.send('POST', `/expenses/${1 + (count % expenses)}/comments`, { content: `Changed ${count}` })
    if (status !== 201) throw new Error(`A change answered ${status}.`)
  }
  try {
    await sum('receiver')
    times.length = 0
    const beside = await measureBeside({ url: program.url, token, paths, pace, seconds }, async (count) => {
      await change(count)
      for (const group_by of ['receiver', 'tag']) await sum(group_by)
    })
    times.sort((a, b) => a - b)
    return { sum_ms: times[Math.floor(times.length / 2)] ?? 0, ...beside }
  } finally {
    await program.stop()
  }
}
