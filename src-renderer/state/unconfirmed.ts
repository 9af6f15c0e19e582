import type { ReplicaOperation } from '#shared/contract/instance/replica'
import { createPageStore } from '../api/page/page-state'

/** What has changes that the remote has not confirmed: by uid, and by `expenses/12` what paths name of others' parts. */
export type Unconfirmed = ReadonlySet<string>

/** The records that operations are about, and those that their paths name: a comment marks its expense. */
export function unconfirmedOf(operations: ReadonlyArray<Pick<ReplicaOperation, 'subject' | 'path'>>): Unconfirmed {
  return new Set(
    operations.flatMap(({ subject, path }) => {
      const [, table, id] = /^\/([a-z_]+)\/(-?\d+)/.exec(path) ?? []
      const isOwn = subject !== null && subject.table === table
      const named = table !== undefined && id !== undefined && !isOwn ? [`${table}/${id}`] : []
      return subject === null ? named : [subject.uid, ...named]
    }),
  )
}

/** Whether a record of a table has changes that are still to be sent. */
export function isUnconfirmed(unconfirmed: Unconfirmed, table: string, record: { id: number; uid: string }): boolean {
  return unconfirmed.has(record.uid) || unconfirmed.has(`${table}/${record.id}`)
}

/** Records with changes that the remote has not confirmed; filled by the watcher of the remote. */
export const useUnconfirmed = createPageStore<{ records: Unconfirmed }>(() => ({ records: new Set() }))

/** Whether an expense has unsent changes; only components whose answer changes are drawn again. */
export function useIsUnconfirmed(expense: { id: number; uid: string }): boolean {
  return useUnconfirmed(({ records }) => isUnconfirmed(records, 'expenses', expense))
}
