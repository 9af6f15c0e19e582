import { useQueries } from '@tanstack/react-query'
import type { DraftFile } from '#renderer/state/draft'
import { readReceipt, useDrafts } from '#renderer/state/drafts'

async function hashOf(id: string): Promise<string | null> {
  const blob = await readReceipt(id)
  const digest = blob && (await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))
  return digest ? [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('') : null
}

/** The hashes (SHA-256) of files that are on this device, by their ids, as far as they are known: a page on plain HTTP makes none. */
export function useDraftHashes(files: readonly DraftFile[]): ReadonlyMap<string, string> {
  const activities = useDrafts((state) => state.activities)
  const results = useQueries({
    queries: files.map(({ id, capture_id }) => ({
      queryKey: ['draft-hash', id],
      queryFn: () => hashOf(id),
      enabled: window.isSecureContext && capture_id === null && activities[id]?.kind !== 'storing',
      staleTime: Infinity,
      gcTime: 60_000,
    })),
  })
  return new Map(
    results.flatMap(({ data }, at): Array<[string, string]> => {
      const file = files[at]
      return file && data ? [[file.id, data]] : []
    }),
  )
}
