import { describe, expect, test } from 'vitest'
import { type Event, type State, type Step, events, next, start, steps } from '#main/sync/machine'

const at = (step: Step, snapshots = 0): State => ({ kind: 'running', step, snapshots })
const ends = { offline: { kind: 'offline' }, stopped: { kind: 'stopped' }, synced: { kind: 'synced' } } as const

/** Where each event leads from each step, of an exchange that has had no snapshot yet. */
const table: Readonly<Record<Step, Readonly<Record<Event, State>>>> = {
  handshake: row('handshake', at('leases')),
  rewind: row('rewind', at('snapshot', 1)),
  snapshot: row('snapshot', at('settle')),
  settle: row('settle', at('leases')),
  leases: row('leases', at('uploads')),
  uploads: row('uploads', at('push')),
  push: row('push', at('pull')),
  pull: row('pull', at('verify')),
  verify: row('verify', at('downloads')),
  downloads: row('downloads', ends.synced),
}

function row(step: Step, done: State): Readonly<Record<Event, State>> {
  return { done, more: at(step), scopes: at('snapshot', 1), diverged: at('rewind'), unreachable: ends.offline, stopped: ends.stopped }
}

describe('the state machine of an exchange', () => {
  test('begins with the handshake', () => {
    expect(start).toEqual(at('handshake'))
  })

  describe.each(steps)('at %s', (step) => {
    test.each(events)('resumes from %s', (event) => {
      expect(next(at(step), event)).toEqual(table[step][event])
    })
  })

  describe.each([ends.synced, ends.offline, ends.stopped])('ended as $kind', (end) => {
    test.each(events)('stays so whatever comes: %s', (event) => {
      expect(next(end, event)).toEqual(end)
    })
  })

  test('ends offline where one snapshot leads to another without end', () => {
    for (const step of steps) {
      expect(next(at(step, 2), 'scopes')).toEqual(at('snapshot', 3))
      expect(next(at(step, 3), 'scopes')).toEqual(ends.offline)
    }
  })

  test('counts the snapshot after a rewind', () => {
    expect(next(at('rewind', 1), 'done')).toEqual(at('snapshot', 2))
  })

  test('keeps the count on its way', () => {
    for (const event of ['done', 'more'] as const) expect(next(at('push', 2), event)).toMatchObject({ snapshots: 2 })
  })

  test('reaches its end from every state', () => {
    for (const step of steps) {
      let state: State = at(step)
      for (let count = 0; count <= steps.length && state.kind === 'running'; count += 1) state = next(state, 'done')
      expect(state).toEqual(ends.synced)
    }
  })

  test('ends offline where the history is another each time', () => {
    let state: State = start
    let turns = 0
    for (; state.kind === 'running' && turns < 100; turns += 1) state = next(state, state.step === 'pull' ? 'diverged' : 'done')
    expect(state).toEqual(ends.offline)
  })
})
