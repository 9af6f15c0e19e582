import type { QueryClient } from '@tanstack/react-query'
import type { RecordChange } from '#shared/contract/instance/feed'
import { affectedBy } from '../api/affected'
import { isOwnNews, ownWritesPause } from '../api/own-writes'
import { pause } from '../api/page/pause'
import { refreshKeys, refreshRows } from './refresh-shown'

/** How long after a reading the next one begins at least, in milliseconds: at first, and while changes keep coming. */
const restMs = { first: 250, later: 1000, most: 4000 }
/** A reading that takes long is a busy server: the rest is so many times as long, up to the most. */
const restTimes = 3
/** A reading without an answer is not waited for longer than this, in milliseconds. */
const mostReadMs = 5000
/** How often a page that nobody sees reads again, in milliseconds: its counts are on the tray. */
const hiddenMs = 10_000

/**
 * Gathers changes of the feed and reads again what shows them, once the last reading is through: a batch of others is many commits, and
 * pages that look on must not slow it down. Versions that this page itself wrote are known already.
 */
export function createRefresher(client: QueryClient): {
  readonly take: (changes: readonly RecordChange[]) => void
  readonly stop: () => void
} {
  const stopped = new AbortController()
  let changes: RecordChange[] = []
  let isBusy = false
  const follow = async () => {
    isBusy = true
    try {
      for (let rest = restMs.first; changes.length > 0 && !stopped.signal.aborted; rest = Math.min(rest * 2, restMs.later)) {
        await ownWritesPause()
        if (document.hidden) await pause(hiddenMs, stopped.signal, { of: document, on: 'visibilitychange' })
        const news = changes.filter((change) => !isOwnNews(change))
        changes = []
        if (news.length === 0 || stopped.signal.aborted) continue
        const begun = performance.now()
        await Promise.race([read(client, news), pause(mostReadMs, stopped.signal)])
        const tookMs = performance.now() - begun
        await pause(Math.min(Math.max(rest, restTimes * tookMs), restMs.most), stopped.signal)
      }
    } finally {
      // A page that failed once still hears the next change.
      isBusy = false
    }
  }
  return {
    take: (more) => {
      changes.push(...more)
      if (!isBusy) void follow()
    },
    stop: () => stopped.abort(),
  }
}

async function read(client: QueryClient, news: readonly RecordChange[]): Promise<void> {
  const expenses = news.filter(({ table }) => table === 'expenses')
  await Promise.all([
    refreshKeys(client, affectedBy(news)),
    expenses.length > 0 ? refreshRows(new Set(expenses.map(({ uid }) => uid))) : undefined,
  ])
}
