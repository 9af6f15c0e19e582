import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from './shortcuts'
import { notifyUndo } from './toast'

/** Tells what was done and takes it back when asked to, by the button or Ctrl+Z. */
export type OfferUndo = (message: string, undo: () => void) => void

/** Keeps the one thing that can be taken back. `scope` and `title` as for `useShortcuts`. */
export function useUndo(scope: { scope: string; title: string }): OfferUndo {
  const { t } = useTranslation('ui')
  const [last, setLast] = useState<{ undo: () => void } | null>(null)
  useShortcuts(scope, [{ id: 'undo', keys: 'mod+z', label: t('undo'), run: () => last?.undo(), when: () => last !== null }])
  return useCallback(
    (message, undo) => {
      const once = {
        undo: () => {
          setLast(null)
          undo()
        },
      }
      setLast(once)
      notifyUndo({ message, undoLabel: t('undo'), undo: once.undo })
    },
    [t],
  )
}
