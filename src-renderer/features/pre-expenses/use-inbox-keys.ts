import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../../ui/keys/shortcuts'
import type { Inbox } from './use-inbox'

type KeyedAct = { readonly run: () => void; readonly when: () => boolean }

/** What the keys of the screen do. */
export type InboxKeys = {
  readonly inbox: Inbox
  readonly open: () => void
  readonly convert: KeyedAct
  readonly ignore: KeyedAct
  readonly restore: KeyedAct
  readonly remove: KeyedAct
  readonly close: KeyedAct
  readonly add: () => void
}

/** The keys of the inbox, wherever on the page the focus is. */
export function useInboxKeys({ inbox, open, convert, ignore, restore, remove, close, add }: InboxKeys): void {
  const { t } = useTranslation('pre-expenses')
  const hasRows = () => (inbox.rows.count ?? 0) > 0
  useShortcuts({ scope: 'pre-expenses', title: t('title') }, [
    { id: 'new', keys: 'n', label: t('new.open'), run: add },
    { id: 'down', keys: 'j', label: t('action.down'), run: () => inbox.move(inbox.focusIndex + 1), when: hasRows },
    { id: 'up', keys: 'k', label: t('action.up'), run: () => inbox.move(inbox.focusIndex - 1), when: hasRows },
    { id: 'open', keys: 'enter', label: t('action.open'), run: open, when: hasRows },
    {
      id: 'select',
      keys: 'x',
      label: t('action.select'),
      run: () => inbox.selection.onSelect({ kind: 'toggle', index: inbox.focusIndex }),
      when: hasRows,
    },
    { id: 'convert', keys: 'e', label: t('action.convert'), ...convert },
    { id: 'ignore', keys: 'i', label: t('action.ignore'), ...ignore },
    { id: 'restore', keys: 'r', label: t('action.restore'), ...restore },
    { id: 'delete', keys: 'backspace', label: t('action.delete'), ...remove },
    { id: 'close', keys: 'escape', label: t('close'), ...close },
  ])
}
