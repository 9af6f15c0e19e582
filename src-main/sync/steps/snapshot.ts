import { syncRoutes } from '#shared/contract/sync'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { dropStaged, stageRows } from '#main/store/sync/staged-rows'
import { type Exchange, transact } from '../exchange'
import type { Event } from '../machine'

/** Rows in a page of a snapshot: fewer cost more requests, more block the thread too long. */
const pageRows = 500

type Page = Awaited<ReturnType<typeof ask>>

/**
 * Fetches everything that the user may see and stages it page by page, so that people never work on incomplete data. Resumes an interrupted snapshot.
 * Requests the next page before staging this one, so that neither side waits.
 */
export async function snapshot(exchange: Exchange): Promise<Event> {
  const under = await findReplicaValue(exchange.store.reader, 'snapshot')
  if (under && under.next === null) return 'done'
  let coming: Promise<Page> | undefined = ask(exchange, under?.next ?? null)
  try {
    while (coming) {
      const page: Page = await coming
      coming = page.next === null ? undefined : ask(exchange, page.next)
      // Its failure is handled when it is awaited.
      coming?.catch(() => undefined)
      if (!(await keep(exchange, page))) return 'more'
    }
    return 'done'
  } finally {
    // No request may outlast its exchange.
    await coming?.catch(() => undefined)
  }
}

async function ask({ remote }: Exchange, next: string | null) {
  const before = remote.received
  const page = await remote.call(syncRoutes.snapshot, { query: { limit: pageRows, ...(next === null ? {} : { next }) } })
  return { ...page, bytes: remote.received - before }
}

/** Stages a page. False: the user's scopes changed since the first page, and the snapshot starts over. */
function keep(exchange: Exchange, { tables, bytes, ...page }: Page): Promise<boolean> {
  const scopes = page.scopes.join(',')
  return transact(exchange, async (tx) => {
    const under = await findReplicaValue(tx, 'snapshot')
    const isRestart = under !== undefined && under.scopes !== scopes
    if (!under || isRestart) await dropStaged(tx)
    if (isRestart) {
      await writeReplicaValue(tx, 'snapshot', undefined)
      return false
    }
    await stageRows(tx, tables)
    const pulled = await findReplicaValue(tx, 'pulled')
    await writeReplicaValue(tx, 'snapshot', {
      cursor: under?.cursor ?? page.cursor,
      seq: under ? under.seq : page.seq,
      scopes,
      next: page.next,
      rows: (under?.rows ?? 0) + tables.reduce((sum, { rows }) => sum + rows.length, 0),
      total: under?.total ?? page.total,
      bytes: (under?.bytes ?? 0) + bytes,
      isNarrowed: pulled?.scopes.split(',').some((scope) => !page.scopes.includes(scope)) ?? false,
    })
    return true
  })
}
