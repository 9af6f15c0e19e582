import { apiOf } from '#test/support/instance'
import { type Beside, measureBeside } from './paced'
import type { Seeded } from './seed'
import { startProgram } from './servers'

/** How long the slowest searches take, and what other callers notice of them. */
export interface SearchFigures extends Beside {
  readonly name: string
  /** The middle one of all searches, those that were refused for taking too long among them. */
  readonly search_ms: number
  readonly refused: number
}

/** Requests a second that the reader makes. */
const pace = 100

/** The searches that look at most rows; each has a part that no earlier one had, so that nothing is remembered of it. */
const searches: ReadonlyArray<readonly [name: string, path: (count: number) => string]> = [
  ['a beginning that most rows have, by amount', (count) => `/expenses?search=m&sort=amount&q[id_gt]=${count}`],
  ['two texts within, no hit', (count) => `/expenses?q[description_cont]=none${count}&q[location_cont]=none`],
  ['a tag of many rows and a range, by amount', (count) => `/expenses?search_tags=tag1&q[amount_gteq]=${count / 100}&sort=-amount`],
]

/** Searches without a pause as one caller, beside a reader who asks for single expenses and the newest thirty. */
export async function measureSearches({ folder, token, expenses }: Seeded, seconds: number): Promise<SearchFigures[]> {
  const program = await startProgram(folder)
  const api = apiOf(program.url, token)
  const paths = [`/api/v1/expenses/${Math.ceil(expenses / 2)}`, '/api/v1/expenses']
  const figures: SearchFigures[] = []
  try {
    for (const [name, path] of searches) {
      const times: number[] = []
      let refused = 0
      const beside = await measureBeside({ url: program.url, token, paths, pace, seconds }, async (count) => {
        const startedAt = performance.now()
        const { status } = await api.get(path(count))
        if (status !== 200) refused += 1
        times.push(performance.now() - startedAt)
      })
      times.sort((a, b) => a - b)
      figures.push({ name, search_ms: times[Math.floor(times.length / 2)] ?? 0, refused, ...beside })
    }
    return figures
  } finally {
    await program.stop()
  }
}
