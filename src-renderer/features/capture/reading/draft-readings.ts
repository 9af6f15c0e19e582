import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type ReceiptReading, receiptReadingRoutes } from '#shared/contract/instance/readings'
import { captureKey } from '#renderer/api/captures'
import { call } from '#renderer/api/client'
import type { Draft, DraftFile } from '#renderer/state/draft'
import { useDraftHashes } from './draft-hashes'

/** What is known of receipts, by the id of the draft's file. */
export type FileReadings = ReadonlyMap<string, ReceiptReading>

/** So many hashes are not too long for an address. */
const mostInOne = 50

function partsOf(files: readonly DraftFile[]): DraftFile[][] {
  return Array.from({ length: Math.ceil(files.length / mostInOne) }, (_, part) => files.slice(part * mostInOne, (part + 1) * mostInOne))
}

/** What the receipts of drafts say, as far as the server has read them: one request for fifty receipts of an organization. */
export function useDraftReadings(drafts: readonly Draft[]): FileReadings {
  const open = drafts.filter(
    ({ stage, form, files }) => stage.kind === 'editing' && form.kind === 'monetary' && form.payer_id !== null && files.length > 0,
  )
  const hashes = useDraftHashes(open.flatMap(({ files }) => files))
  const groups = [...Map.groupBy(open, ({ form }) => form.payer_id ?? 0)]
  const asked = groups.flatMap(([organization_id, some]) =>
    partsOf(some.flatMap((draft) => draft.files)).map((files) => {
      const capture_ids = files.flatMap(({ capture_id }) => capture_id ?? [])
      return { organization_id, files, capture_ids, hashes: files.flatMap(({ id }) => hashes.get(id) ?? []) }
    }),
  )
  const results = useQueries({
    queries: asked.map(({ organization_id, capture_ids, hashes: files }) => ({
      queryKey: [...captureKey, 'readings', organization_id, capture_ids, files],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(receiptReadingRoutes.list, {
          params: { organization_id },
          query: { capture_ids: capture_ids.join(','), files: files.join(',') },
          signal,
        }),
      enabled: capture_ids.length + files.length > 0,
      placeholderData: keepPreviousData,
      // A reading is a help: where there is none, the fields are typed.
      retry: false,
    })),
  })
  return new Map(
    asked.flatMap(({ files }, at) => {
      const readings = results[at]?.data?.readings ?? []
      return files.flatMap((file): Array<[string, ReceiptReading]> => {
        const hash = hashes.get(file.id)
        const found = readings.find((one) =>
          file.capture_id === null ? hash !== undefined && one.file === hash : one.capture_id === file.capture_id,
        )
        return found ? [[file.id, found]] : []
      })
    }),
  )
}
