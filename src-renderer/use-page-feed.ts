import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { feedTopics } from '#shared/contract/instance/feed'
import { affectedByTopics } from './api/affected'
import { type HeardEvent, followFeed } from './api/page/page-feed'
import { refreshKeys, refreshShown } from './state/refresh-shown'
import { createRefresher } from './state/refresher'

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
      if (event.kind === 'reset') refreshShown(client)
      if (event.kind === 'changes') refresher.take(event.changes)
    }
    void followFeed({ after, onEvent, signal: stop.signal })
    return () => {
      stop.abort()
      refresher.stop()
      topics.stop()
    }
  }, [client, after])
}

/** Reads again state that is in no log: when the feed names it, when the feed is back, and now and then while it is away. */
function createTopics(client: QueryClient) {
  let isAway = true
  const timer = setInterval(() => {
    if (isAway && navigator.onLine) void refreshKeys(client, affectedByTopics(feedTopics))
  }, lookAgainMs)
  return {
    take: (event: HeardEvent) => {
      isAway = event.kind === 'lost'
      if (event.kind === 'topics') void refreshKeys(client, affectedByTopics(event.topics))
      if (event.kind === 'ready' || event.kind === 'reset') void refreshKeys(client, affectedByTopics(feedTopics))
    },
    stop: () => clearInterval(timer),
  }
}
