import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onWritten } from './api/client'
import { refreshShown } from './state/refresh-shown'

/** How long writes are gathered before other tabs read again, in milliseconds: a batch is many writes. */
const gatherMs = 150

/** Tells the other tabs and windows of this browser about every write, and reads what is shown again after theirs. Once, for who is signed in. */
export function useOtherTabs(): void {
  const client = useQueryClient()
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return undefined
    const channel = new BroadcastChannel('outlay-writes')
    let timer: ReturnType<typeof setTimeout> | undefined
    const post = () => {
      clearTimeout(timer)
      timer = undefined
      channel.postMessage('written')
    }
    const flush = () => {
      if (timer !== undefined) post()
    }
    const stop = onWritten(() => {
      timer ??= setTimeout(post, gatherMs)
    })
    channel.onmessage = () => refreshShown(client)
    window.addEventListener('pagehide', flush)
    return () => {
      stop()
      flush()
      window.removeEventListener('pagehide', flush)
      channel.close()
    }
  }, [client])
}
