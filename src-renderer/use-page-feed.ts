import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type RecordChange, feedTopics } from '#shared/contract/instance/feed'
import { affectedBy, affectedByTopics } from './api/affected'
import { isOwnNews, ownWritesPause } from './api/own-writes'
import { type HeardEvent, followFeed } from './api/page/page-feed'
import { refreshKeys, refreshRows, refreshShown } from './state/refresh-shown'

/** A batch is many commits: after the first, what is shown is read again at most this often, in milliseconds. */
const leastBetweenMs = 250
/** How often state that is in no log is read again while the feed is away, in milliseconds. */
const lookAgainMs = 5000

/**
 * Keeps what is shown up to date with what others, other tabs and exchanges change. Once, for the person who is signed in; `place`: the
 * one in the feed when the page learned who that is, since all else is read later.
 */
export function usePageFeed(place: string): void {
  const client = useQueryClient()
  const [after] = useState(place)
  useEffect(() => {
    const stop = new AbortController()
    const refresher = createRefresher(client)
    const topics = createTopics(client)
    const onEvent = (event: HeardEvent) => {
      topics.take(event)
      refresher.take(event)
    }
    void followFeed({ after, onEvent, signal: stop.signal })
    return () => {
      stop.abort()
      refresher.stop()
      topics.stop()
    }
  }, [client, after])
}

/** Gathers changes and reads again what shows them; versions that this page itself wrote are known already. */
function createRefresher(client: QueryClient) {
  let changes: RecordChange[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  const refresh = async () => {
    isBusy = true
    await ownWritesPause()
    const news = changes.filter((change) => !isOwnNews(change))
    changes = []
    isBusy = false
    if (news.length === 0) return
    refreshKeys(client, affectedBy(news))
    const expenses = news.filter(({ table }) => table === 'expenses')
    if (expenses.length > 0) refreshRows(new Set(expenses.map(({ uid }) => uid)))
    timer = setTimeout(() => {
      timer = undefined
      if (changes.length > 0) void refresh()
    }, leastBetweenMs)
  }
  return {
    take: (event: HeardEvent) => {
      if (event.kind === 'reset') refreshShown(client)
      if (event.kind !== 'changes') return
      changes.push(...event.changes)
      if (timer === undefined && !isBusy) void refresh()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Reads again state that is in no log: when the feed names it, when the feed is back, and now and then while it is away. */
function createTopics(client: QueryClient) {
  let isAway = true
  const timer = setInterval(() => {
    if (isAway && navigator.onLine) refreshKeys(client, affectedByTopics(feedTopics))
  }, lookAgainMs)
  return {
    take: (event: HeardEvent) => {
      isAway = event.kind === 'lost'
      if (event.kind === 'topics') refreshKeys(client, affectedByTopics(event.topics))
      if (event.kind === 'ready' || event.kind === 'reset') refreshKeys(client, affectedByTopics(feedTopics))
    },
    stop: () => clearInterval(timer),
  }
}
