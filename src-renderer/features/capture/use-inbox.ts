import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShallow } from 'zustand/react/shallow'
import type { Capture } from '#shared/contract/captures'
import { deleteCaptures, forgetCaptures, restoreCaptures } from '../../api/captures'
import { failureText } from '../../api/failure-text'
import { capturesIn } from '../../state/draft'
import type { OutboxFile } from '../../state/draft-db'
import { useDrafts } from '../../state/drafts'
import { select } from '../../ui/grid/grid-selection'
import type { GridSelection } from '../../ui/grid/grid-types'
import { useRowFocus } from '../../ui/grid/use-row-focus'
import { notifyFailure } from '../../state/notices'
import { captureOf } from '../../state/outbox'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import { type InboxRow, isOfFile, toRows } from './inbox-rows'

/** The inbox as shown, and its acts. */
export interface CaptureInbox {
  readonly rows: readonly InboxRow[]
  /** Undefined until the captures are there. */
  readonly captures: readonly Capture[] | undefined
  readonly focusIndex: number
  readonly move: (index: number) => void
  readonly selection: GridSelection<InboxRow>
  /** What an act is about: the selected captures, else the focused one with those of its group. */
  readonly chosen: readonly Capture[]
  readonly isSelected: boolean
  readonly clear: () => void
  readonly remove: (captures: readonly Capture[]) => void
}

/** What an inbox is made of: the captures, undefined until they are there, and the files on their way. */
export interface InboxData {
  readonly data: readonly Capture[] | undefined
  readonly queued: readonly OutboxFile[]
}

/** The captures that are on no expense and in no draft, and the files on their way to be. */
export function useInbox({ data, queued, offerUndo }: InboxData & { offerUndo: OfferUndo }): CaptureInbox {
  const { t } = useTranslation('capture')
  const client = useQueryClient()
  const takenIds = useDrafts(useShallow((state) => [...capturesIn(state.drafts)]))
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set())
  const captures = useMemo(() => {
    // The feed may name a capture before the outbox has let go of its file, which stays shown until then, and even before its answer is here.
    const hidden = new Set([...takenIds, ...queued.flatMap(({ key }) => captureOf(key)?.id ?? [])])
    return data?.filter((capture) => !hidden.has(capture.id) && !queued.some((item) => isOfFile(capture, item)))
  }, [data, takenIds, queued])
  const rows = useMemo(() => toRows(queued, captures ?? []), [queued, captures])
  const [focusIndex, setFocusIndex] = useRowFocus('captures', rows.length)
  const selected = (captures ?? []).filter(({ id }) => selectedIds.has(id))
  const focused = rows[focusIndex]
  const remove = (gone: readonly Capture[]) => {
    const ids = gone.map(({ id }) => id)
    const fail = (problem: unknown) => notifyFailure({ title: t('inbox.notDeleted'), message: failureText(problem) })
    forgetCaptures(client, ids)
    setSelectedIds(new Set())
    deleteCaptures(ids).catch(fail)
    offerUndo(t('inbox.deleted', { count: ids.length }), () => restoreCaptures(ids))
  }
  return {
    rows,
    captures,
    focusIndex,
    move: setFocusIndex,
    selection: {
      isSelected: (row) => row.kind === 'saved' && selectedIds.has(row.capture.id),
      extent: selected.length === 0 ? 'none' : selected.length === captures?.length ? 'all' : 'some',
      onSelect: (act) => setSelectedIds((known) => select(rows.map(idOf), known, act)),
    },
    chosen: selected.length > 0 ? selected : groupOf(focused, captures ?? []),
    isSelected: selected.length > 0,
    clear: () => setSelectedIds(new Set()),
    remove,
  }
}

/** Files on their way cannot be selected. */
const idOf = (row: InboxRow) => (row.kind === 'saved' ? row.capture.id : undefined)

function groupOf(row: InboxRow | undefined, captures: readonly Capture[]): readonly Capture[] {
  if (row?.kind !== 'saved') return []
  const { id, group } = row.capture
  return captures.filter((known) => (group === null ? known.id === id : known.group === group))
}
