import type { Capture } from '#shared/contract/captures'
import type { OutboxFile } from '../../state/draft-db'

/** The position of a row in its group; undefined: it is alone. */
export type GroupPlace = 'first' | 'middle' | 'last'

/** A row of the inbox: a capture, or a file that is not saved yet. */
export type InboxRow =
  | { readonly kind: 'saved'; readonly key: string; readonly capture: Capture; readonly place: GroupPlace | undefined }
  | { readonly kind: 'queued'; readonly key: string; readonly queued: OutboxFile; readonly place: undefined }

/** The rows: unsaved files, then captures by their newest, those of a group together in the order they were made. */
export function toRows(queued: readonly OutboxFile[], captures: readonly Capture[]): InboxRow[] {
  return [
    ...queued.map((item) => ({ kind: 'queued' as const, key: item.key, queued: item, place: undefined })),
    ...toUnits(captures).flatMap((unit) =>
      unit.map((capture, index) => ({ kind: 'saved' as const, key: `capture-${capture.id}`, capture, place: placeOf(index, unit.length) })),
    ),
  ]
}

/** Captures that belong together: those of a group, or one that is alone. In the order given, each in the order it was made. */
export function toUnits(captures: readonly Capture[]): Capture[][] {
  const units = Map.groupBy(captures, ({ id, group }) => group ?? id)
  return [...units.values()].map((unit) => unit.toSorted((a, b) => a.id - b.id))
}

function placeOf(index: number, count: number): GroupPlace | undefined {
  if (count === 1) return undefined
  if (index === 0) return 'first'
  return index === count - 1 ? 'last' : 'middle'
}

const stemOf = (name: string) => name.replace(/\.[^.]*$/, '')

/** The server keeps whole seconds. */
const secondOf = (instant: string) => Math.floor(Date.parse(instant) / 1000)

/**
 * Whether a capture is that of a file on its way: made since, of the same moment and name, whose ending a conversion changes. Both ids
 * begin with the time; a capture of the same file from before is another one.
 */
export function isOfFile({ uid, captured_at, file_name }: Capture, { key, captured_at: at, file }: OutboxFile): boolean {
  return uid > key && secondOf(captured_at) === secondOf(at) && stemOf(file_name) === stemOf(file.name)
}
