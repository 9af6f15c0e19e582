import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FeedEvent, RecordChange } from '#shared/contract/instance/feed'
import { affectedBy, affectedByRoute } from './api/affected'
import { onWritten } from './api/client'
import { isOwnVersion, ownWritesDone } from './api/own-writes'
import { followFeed } from './api/page-feed'
import { refreshKeys, refreshRows, refreshShown } from './state/refresh-shown'

/** A batch is many commits: after the first, what is shown is read again at most this often, in milliseconds. */
const leastBetweenMs = 250

/** Keeps what is shown up to date with what others, other tabs and exchanges change. Once, for the person who is signed in. */
export function usePageFeed(): void {
  const client = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    const refresher = createRefresher(client)
    void followFeed({ onEvent: refresher.take, signal: stop.signal })
    return () => {
      stop.abort()
      refresher.stop()
    }
  }, [client])
  useUnnamedWrites(client)
}

/** Gathers changes and reads again what shows them; versions that this page itself wrote are known already. */
function createRefresher(client: QueryClient) {
  let changes: RecordChange[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  const refresh = async () => {
    isBusy = true
    await ownWritesDone()
    const news = changes.filter(({ uid, version }) => version === null || !isOwnVersion(uid, version))
    changes = []
    isBusy = false
    if (news.length === 0) return
    refreshKeys(client, affectedBy(news))
    if (news.some(({ table }) => table === 'expenses')) refreshRows()
    timer = setTimeout(() => {
      timer = undefined
      if (changes.length > 0) void refresh()
    }, leastBetweenMs)
  }
  return {
    take: (event: FeedEvent) => {
      if (event.kind === 'reset') refreshShown(client)
      if (event.kind !== 'changes') return
      changes.push(...event.changes)
      if (timer === undefined && !isBusy) void refresh()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Tells the other tabs of this browser about writes whose records the feed does not name, and hears of theirs. */
function useUnnamedWrites(client: QueryClient): void {
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return undefined
    const channel = new BroadcastChannel('outlay-writes')
    const stop = onWritten(({ name }) => {
      if (affectedByRoute(name).length > 0) channel.postMessage(name)
    })
    channel.onmessage = ({ data }) => {
      if (typeof data === 'string') refreshKeys(client, affectedByRoute(data))
    }
    return () => {
      stop()
      channel.close()
    }
  }, [client])
}
