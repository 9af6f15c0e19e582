import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFairTurns } from '#main/processes/fair-turns'

test('never more jobs run than may, of one owner never two, each owner in order, and all have their turn', async () => {
  const owners = fc.array(fc.nat(3), { maxLength: 30 })
  const run = async (asked: readonly number[], count: number) => {
    const takeTurn = createFairTurns(count)
    const running: number[] = []
    const done: Array<readonly [owner: number, at: number]> = []
    const job = (owner: number, at: number) => async () => {
      expect(running).not.toContain(owner)
      running.push(owner)
      expect(running.length).toBeLessThanOrEqual(count)
      await Promise.resolve()
      running.splice(running.indexOf(owner), 1)
      done.push([owner, at])
    }
    await Promise.all(asked.map((owner, at) => takeTurn(owner, job(owner, at))))
    expect(done.length).toBe(asked.length)
    for (const owner of new Set(asked)) {
      const order = done.filter(([one]) => one === owner).map(([, at]) => at)
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    }
  }
  await fc.assert(fc.asyncProperty(owners, fc.integer({ min: 1, max: 3 }), run))
})

test('an owner with much to do does not hold up the others', async () => {
  const takeTurn = createFairTurns(1)
  const done: string[] = []
  const job = (name: string) => () => Promise.resolve(void done.push(name))
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => takeTurn('a', job(name))),
    takeTurn('b', job('b1')),
    takeTurn('c', job('c1')),
  ])
  expect(done.indexOf('b1')).toBeLessThan(3)
  expect(done.indexOf('c1')).toBeLessThan(4)
})
