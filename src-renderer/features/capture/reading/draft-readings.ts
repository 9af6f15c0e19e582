import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type ReceiptReading, receiptReadingRoutes } from '#shared/contract/instance/readings'
import { call } from '#renderer/api/client'
import type { Draft, DraftFile } from '#renderer/state/draft'
import { keyRoots } from '#renderer/api/keys'

/** What is known of receipts, by the id of the draft's file. */
export type FileReadings = ReadonlyMap<string, ReceiptReading>

/** How the server names a file that it has: the id of its capture, or the Location of its upload. */
type ServerName = number | string

function serverNameOf({ capture_id, upload }: DraftFile): ServerName | undefined {
  return capture_id ?? upload?.replaceAll(',', '%2C')
}

/** The lengths of names in one request, together: an address is no longer than 16 KiB, encoded. */
const mostInOne = 6000

/** The server's names of those files that it has, as queries that are not too long for an address. */
export function queriesOf(files: readonly DraftFile[]): Array<{ readonly capture_ids: number[]; readonly files: string[] }> {
  const queries: ReturnType<typeof queriesOf> = []
  let room = 0
  for (const name of files.flatMap((file) => serverNameOf(file) ?? [])) {
    const length = String(name).length + 1
    if (length > room) {
      queries.push({ capture_ids: [], files: [] })
      room = mostInOne
    }
    room -= length
    const last = queries.at(-1)
    if (typeof name === 'string') last?.files.push(name)
    else last?.capture_ids.push(name)
  }
  return queries
}

/** What the receipts of drafts say, as far as the server has read them: one request for some fifty receipts of an organization. */
export function useDraftReadings(drafts: readonly Draft[]): FileReadings {
  const open = drafts.filter(
    ({ stage, form, files }) => stage.kind === 'editing' && form.kind === 'monetary' && form.payer_id !== null && files.length > 0,
  )
  const asked = [...Map.groupBy(open, ({ form }) => form.payer_id ?? 0)].flatMap(([organization_id, some]) =>
    queriesOf(some.flatMap(({ files }) => files)).map((query) => ({ organization_id, ...query })),
  )
  const results = useQueries({
    queries: asked.map(({ organization_id, capture_ids, files }) => ({
      queryKey: [...keyRoots.readings, organization_id, capture_ids, files],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(receiptReadingRoutes.list, {
          params: { organization_id },
          query: { capture_ids: capture_ids.join(','), files: files.join(',') },
          signal,
        }),
      placeholderData: keepPreviousData,
      // A reading is a help: where there is none, the fields are typed.
      retry: false,
    })),
  })
  const readings = results.flatMap(({ data }) => data?.readings ?? [])
  const byName = new Map(readings.map((reading) => [reading.capture_id ?? reading.file, reading]))
  return new Map(
    open.flatMap(({ files }) =>
      files.flatMap((file): Array<[string, ReceiptReading]> => {
        const found = byName.get(serverNameOf(file) ?? null)
        return found ? [[file.id, found]] : []
      }),
    ),
  )
}
