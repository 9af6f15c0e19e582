import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawHistory } from './history'
import { mutants } from './mutants'
import { regressions } from './regressions'
import { type Outcome, live, shrink } from './simulate'
import { drain } from './store-pool'
import { type Template, makeTemplate } from './template'

const timeoutMs = 300_000

let template: Template
beforeAll(async () => {
  template = await makeTemplate()
}, timeoutMs)
afterAll(drain)

/** What a failing history says: its steps, as few as it needs, and what did not hold. */
async function tell(outcome: Outcome): Promise<string> {
  if (outcome.violations.length === 0) return ''
  const { history, log, violations } = await shrink(template, outcome, 60)
  return [`seed ${history.seed}`, ...log, ...violations.slice(0, 5)].join('\n')
}

/** Drawn histories are a step of their own: `npm test -- simulate`. */
describe('replicas and their remote under faults', () => {
  test.each(regressions)('once: $was', async ({ history }) => {
    expect(await tell(await live(template, history))).toBe('')
  })

  test('live through the same history twice in the same way', async () => {
    for (const seed of [11, 12]) {
      const [first, second] = [await live(template, drawHistory(seed)), await live(template, drawHistory(seed))]
      expect(second.log).toEqual(first.log)
    }
  })
})

test('every mutant changes something that is there once', () => {
  for (const { name, patches } of mutants)
    for (const { file, find } of patches)
      expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8').split(find), `${name} in ${file}`).toHaveLength(2)
})
