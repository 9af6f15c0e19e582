import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../../ui/keys/shortcuts'

type KeyedAct = { readonly run: () => void; readonly when: () => boolean }

/** What the keys of the screen do. */
export type ListKeys = {
  readonly convert: KeyedAct
  readonly ignore: KeyedAct
  readonly restore: KeyedAct
  readonly remove: KeyedAct
  readonly close: KeyedAct
  readonly add: () => void
}

/** The keys of the inbox, wherever on the page the focus is. */
export function useListKeys({ convert, ignore, restore, remove, close, add }: ListKeys): void {
  const { t } = useTranslation('pre-expenses')
  useShortcuts({ scope: 'pre-expenses', title: t('title') }, [
    { id: 'new', keys: 'n', label: t('new.open'), run: add },
    { id: 'convert', keys: 'e', label: t('action.convert'), ...convert },
    { id: 'ignore', keys: 'i', label: t('action.ignore'), ...ignore },
    { id: 'restore', keys: 'r', label: t('action.restore'), ...restore },
    { id: 'delete', keys: 'backspace', label: t('action.delete'), ...remove },
    { id: 'close', keys: 'escape', label: t('close'), ...close },
  ])
}
