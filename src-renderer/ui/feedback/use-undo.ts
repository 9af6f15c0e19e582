import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyDone } from '../../state/notices'
import { hasAct, type OfferedAct, type OfferOptions, offerUndo, redoAct, undoAct } from '../../state/undo-stack'
import { now } from '../values/clock'
import { useShortcuts } from '../keys/shortcuts'

/** Shows what was done and offers to undo it; `undo` throws what kept it from coming about, null: nothing takes it back. */
export type OfferUndo = (message: string, undo: OfferedAct['undo'], options?: OfferOptions) => number

/** The keys that undo, and do again, what was done in an area: the same on every screen. `scope` and `title` as for `useShortcuts`. */
export function useUndoKeys(area: string, scope: { scope: string; title: string }): void {
  const { t } = useTranslation('ui')
  const run = () => {
    if (!undoAct(area)) notifyDone(t('history.nothing'))
  }
  const undo = { label: t('undo'), run, inFull: true }
  useShortcuts(scope, [
    { ...undo, id: 'undo', keys: 'u' },
    { ...undo, id: 'undo-too', keys: 'mod+z' },
    { id: 'redo', keys: 'mod+shift+z', label: t('redo'), run: () => redoAct(area), when: () => hasAct('undone', area), inFull: true },
  ])
}

/** Keeps what was done on a screen so that it can be undone: by the status line, by `u` or Ctrl+Z, the last act first. */
export function useUndo(scope: { scope: string; title: string }): OfferUndo {
  const { scope: area } = scope
  useUndoKeys(area, scope)
  return useCallback((label, undo, options) => offerUndo({ area, label, at: now().toISOString(), undo }, options), [area])
}
