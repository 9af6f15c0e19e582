import { heal } from './heal'
import { type History, type Step, drawHistory } from './history'
import { findViolations } from './invariants'
import { perform } from './perform'
import { mended } from './site'
import type { Template } from './template'
import { World } from './world'

/** What came of a history. */
export interface Outcome {
  readonly history: History
  /** Empty when all held. */
  readonly violations: readonly string[]
  readonly log: readonly string[]
}

/** Lives through a history, heals it, and looks at what must hold. */
export async function live(template: Template, history: History): Promise<Outcome> {
  mended.length = 0
  const world = await World.begin(template, history)
  let violations: string[]
  try {
    for (const step of history.steps) await perform(world, step)
    const stuck = await heal(world)
    violations = stuck.length > 0 ? stuck : await findViolations(world)
  } catch (error) {
    violations = [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  }
  const { log } = world
  await world.end().catch(() => undefined)
  return { history, violations, log }
}

/** Lives through the history of a seed. */
export function simulate(template: Template, seed: number): Promise<Outcome> {
  return live(template, drawHistory(seed))
}

/** The same failure with as few steps as can be found: parts are left out, large ones first. */
export async function shrink(template: Template, failed: Outcome, maxRuns = 200): Promise<Outcome> {
  let best = failed
  let runs = 0
  const without = async (steps: readonly Step[]): Promise<boolean> => {
    runs += 1
    const outcome = await live(template, { ...best.history, steps })
    if (outcome.violations.length === 0) return false
    best = outcome
    return true
  }
  for (let size = Math.ceil(best.history.steps.length / 2); size >= 1 && runs < maxRuns; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < best.history.steps.length && runs < maxRuns;) {
      const { steps } = best.history
      if (!(await without([...steps.slice(0, start), ...steps.slice(start + size)]))) start += size
    }
  }
  return best
}
