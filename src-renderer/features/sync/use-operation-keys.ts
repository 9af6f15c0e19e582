import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { acts as known, type Act } from './answer'

/** The key of each act. */
export const actKeys: Readonly<Record<Act, string>> = { again: 'a', mine: 'm', theirs: 't', export: 'e', discard: 'backspace' }

type KeysInput = {
  /** The acts on the selection, or else on the focus. */
  acts: readonly Act[]
  /** Whether operations of this list can be selected. */
  isSelectable: boolean
  onClear: () => void
  onAct: (act: Act) => void
  onOpenRecord?: () => void
  onDetail: () => void
}

/** The keys of a list of operations. */
export function useOperationKeys(input: KeysInput): void {
  const { acts, isSelectable, onClear, onAct, onOpenRecord, onDetail } = input
  const { t } = useTranslation('sync')
  useShortcuts({ scope: 'sync', title: t('title') }, [
    { id: 'clear', keys: 'escape', label: t('key.clear'), run: onClear, when: () => isSelectable },
    { id: 'detail', keys: 'space', label: t('key.detail'), run: onDetail },
    { id: 'open', keys: 'enter', label: t('act.open'), run: () => onOpenRecord?.(), when: () => !!onOpenRecord },
    ...known.map((act) => ({ id: act, keys: actKeys[act], label: t(`act.${act}`), run: () => onAct(act), when: () => acts.includes(act) })),
  ])
}
