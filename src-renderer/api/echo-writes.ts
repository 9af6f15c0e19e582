import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { affectedByWrite } from './affected'
import { onWritten } from './client'
import { noteReading, ownWritesPause } from './own-writes'

/**
 * Reads again what the writes of this page may have changed, as the feed has it read again after writes of others: a page shows its
 * own writes also while the feed is away. Returns what ends it.
 */
export function echoWrites(client: QueryClient): () => void {
  let gathered = new Map<string, QueryKey>()
  let isHeard = false
  const read = async () => {
    await ownWritesPause()
    const keys = [...gathered.values()]
    // Without a network nothing can be read either: it is read when the network is back.
    const refetchType = isHeard || navigator.onLine ? 'active' : 'none'
    gathered = new Map()
    isHeard = false
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey, refetchType })))
  }
  return onWritten((write) => {
    const isFirst = gathered.size === 0
    isHeard ||= write.error?.status !== 0
    for (const key of affectedByWrite(write)) gathered.set(JSON.stringify(key), key)
    if (isFirst && gathered.size > 0) noteReading(read())
  })
}
