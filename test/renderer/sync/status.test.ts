import { expect, test } from 'vitest'
import type { ReplicaState } from '#shared/contract/instance/replica'
import type { Connection } from '../../../src-renderer/state/frame'
import { isUnconfirmed, unconfirmedOf } from '../../../src-renderer/state/unconfirmed'
import { statusParts } from '../../../src-renderer/ui/shell/sync-status'
import { sampleOperation } from './operations'

const here: Connection = { kind: 'local', waiting: 0 }
const counts = { waiting: 0, waiting_bytes: 0, conflicts: 0, failed: 0, quarantined: 0, uploads: 0, downloads: 0 }

function state(changes: Partial<ReplicaState> = {}, counted: Partial<ReplicaState['counts']> = {}): ReplicaState {
  return {
    remote: { url: 'https://example.org', user_id: 1, is_compatible_only: false },
    activity: 'idle',
    stop: null,
    progress: null,
    counts: { ...counts, ...counted },
    oldest_waiting_at: null,
    last_synced_at: null,
    keeps_in_sync: true,
    last_error: null,
    receipt_budget_bytes: 0,
    trail_forks: [],
    offered: 0,
    ...changes,
  }
}

const kinds = (...given: Parameters<typeof statusParts>) => statusParts(...given).map(({ kind }) => kind)

test('without a remote there is nothing to say, unless drafts wait for the server', () => {
  expect(statusParts(null, here, false)).toEqual([])
  expect(statusParts(null, { kind: 'offline', waiting: 1 }, false)).toEqual([{ kind: 'offline' }, { kind: 'waiting', count: 1 }])
})

test('what waits for the person comes before what waits to be sent', () => {
  const sync = state({ activity: 'offline' }, { waiting: 3, conflicts: 1, failed: 1 })
  expect(statusParts(sync, here, false)).toEqual([{ kind: 'cameBack', count: 2 }, { kind: 'offline' }, { kind: 'waiting', count: 3 }])
})

test('a short exchange is not worth a word; a first one is', () => {
  const syncing = state({ activity: 'syncing' })
  expect(kinds(syncing, here, false)).toEqual(['upToDate'])
  expect(kinds(syncing, here, true)).toEqual(['syncing'])
  expect(kinds({ ...syncing, progress: { rows: 1, total: 9, bytes: 1 } }, here, false)).toEqual(['syncing'])
})

test('a stop is shown, and a guard as the decision that it needs', () => {
  const stop = { kind: 'unauthorized', message: '', table: null, count: 0, total: 0 } as const
  expect(kinds(state({ activity: 'stopped', stop }), here, false)).toEqual(['stopped'])
  expect(kinds(state({ activity: 'stopped', stop: { ...stop, kind: 'guard' } }), here, false)).toEqual(['decide'])
})

test('a record with operations in the outbox is marked, also by those of its comments and receipts', () => {
  const marks = unconfirmedOf([
    sampleOperation(),
    sampleOperation({ path: '/expenses/5/comments/9', subject: { table: 'comments', id: 9, uid: 'comment-9' } }),
    sampleOperation({ method: 'POST', path: '/expenses', subject: { table: 'expenses', id: 77, uid: 'new' } }),
    sampleOperation({ path: '/expenses/6', subject: null }),
  ])
  const isMarked = (id: number, uid: string) => isUnconfirmed(marks, 'expenses', { id, uid })
  expect(isMarked(123, 'expense-123')).toBe(true)
  expect(isMarked(5, 'expense-5')).toBe(true)
  expect(isMarked(77, 'new')).toBe(true)
  expect(isMarked(6, 'expense-6')).toBe(true)
  expect(isMarked(9, 'expense-9')).toBe(false)
})
