import { useTranslation } from 'react-i18next'
import type { GridSelect } from '../../ui/grid/grid-types'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { acts as known, type Act } from './answer'

/** The key of each act. */
export const actKeys: Readonly<Record<Act, string>> = { again: 'a', mine: 'm', theirs: 't', export: 'e', discard: 'backspace' }

type KeysInput = {
  index: number
  /** The acts on the selection, or else on the focus. */
  acts: readonly Act[]
  /** Whether operations of this list can be selected. */
  isSelectable: boolean
  onMove: (by: number) => void
  onSelect: (act: GridSelect) => void
  onClear: () => void
  onAct: (act: Act) => void
  onOpenRecord?: () => void
  onDetail: () => void
}

/** The keys of a list of operations. */
export function useOperationKeys(input: KeysInput): void {
  const { index, acts, isSelectable, onMove, onSelect, onClear, onAct, onOpenRecord, onDetail } = input
  const { t } = useTranslation('sync')
  const extend = (by: number) => {
    onSelect({ kind: 'range', from: index, to: index + by })
    onMove(by)
  }
  const when = () => isSelectable
  useShortcuts({ scope: 'sync', title: t('title') }, [
    { id: 'down', keys: 'j', label: t('key.down'), run: () => onMove(1) },
    { id: 'up', keys: 'k', label: t('key.up'), run: () => onMove(-1) },
    { id: 'extend-down', keys: 'shift+j', label: t('key.extendDown'), run: () => extend(1), when },
    { id: 'extend-up', keys: 'shift+k', label: t('key.extendUp'), run: () => extend(-1), when },
    { id: 'select', keys: 'x', label: t('key.select'), run: () => onSelect({ kind: 'toggle', index }), when },
    { id: 'select-all', keys: 'mod+shift+a', label: t('key.selectAll'), run: () => onSelect({ kind: 'all' }), when },
    { id: 'clear', keys: 'escape', label: t('key.clear'), run: onClear, when },
    { id: 'detail', keys: 'space', label: t('key.detail'), run: onDetail },
    { id: 'open', keys: 'enter', label: t('act.open'), run: () => onOpenRecord?.(), when: () => !!onOpenRecord },
    ...known.map((act) => ({ id: act, keys: actKeys[act], label: t(`act.${act}`), run: () => onAct(act), when: () => acts.includes(act) })),
  ])
}
