import { announce, notifyDone } from '../../state/notices'
import { redoEntry, undoEntry, type ReviewerDeps } from './reviewer'
import { useHistory, type HistoryEntry } from './undo-history'
import type { ReviewFocus } from './use-review-focus'
import type { Rows } from './use-rows'
import type { Runs } from './use-runs'
import { useWorkWords } from './work-words'

/** Undo and redo: of the last act, or of one that was chosen. */
export type Travel = { readonly undo: (entry?: HistoryEntry) => void; readonly redo: (entry?: HistoryEntry) => void }

/** Takes acts back and does them again, after whatever is still being written. */
export function useTravel(deps: ReviewerDeps, { rows, focus, runs }: { rows: Rows; focus: ReviewFocus; runs: Runs }): Travel {
  const words = useWorkWords()
  const travel = async (kind: 'undo' | 'redo', chosen?: HistoryEntry) => {
    await runs.idle()
    const history = useHistory.getState()
    const entry = chosen ?? (kind === 'undo' ? history.done : history.undone)[0]
    if (!entry) return announce(words.nothing(kind))
    const indexes = entry.items.map(({ after }) => rows.source.indexOf(after.uid))
    const first = indexes.find((index) => index !== undefined)
    if (first !== undefined) focus.moveTo(first)
    const result = await runs.run(entry.items.length, (options) =>
      (kind === 'undo' ? undoEntry : redoEntry)(deps, entry, options),
    )
    const message = words.travelled(kind, { status: entry.status, result })
    if (entry.items.length > 1) notifyDone(message)
    else announce(message)
    if (indexes.includes(undefined)) rows.refresh()
  }
  return { undo: (entry) => void travel('undo', entry), redo: (entry) => void travel('redo', entry) }
}
