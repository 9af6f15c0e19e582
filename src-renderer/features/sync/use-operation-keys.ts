import { useTranslation } from 'react-i18next'
import type { ReplicaOperation } from '#shared/contract/replica'
import { useShortcuts } from '../../ui/shortcuts'
import { actsFor, type Act } from './answer'

/** The key of each act. */
export const actKeys: Readonly<Record<Act, string>> = { again: 'a', mine: 'm', theirs: 't', export: 'e', discard: 'x' }

type KeysInput = {
  current: ReplicaOperation | undefined
  isFree: boolean
  onMove: (by: number) => void
  onAct: (act: Act) => void
  onOpenRecord?: () => void
  onDetail: () => void
}

const acts: readonly Act[] = ['again', 'mine', 'theirs', 'export', 'discard']

/** The keys of a list of operations. */
export function useOperationKeys({ current, isFree, onMove, onAct, onOpenRecord, onDetail }: KeysInput): void {
  const { t } = useTranslation('sync')
  const offered = current ? actsFor(current) : []
  useShortcuts({ scope: 'sync', title: t('title') }, [
    { id: 'down', keys: 'j', label: t('key.down'), run: () => onMove(1) },
    { id: 'up', keys: 'k', label: t('key.up'), run: () => onMove(-1) },
    { id: 'detail', keys: 'space', label: t('key.detail'), run: onDetail },
    { id: 'open', keys: 'enter', label: t('act.open'), run: () => onOpenRecord?.(), when: () => isFree && !!onOpenRecord },
    ...acts.map((act) => ({
      id: act,
      keys: actKeys[act],
      label: t(`act.${act}`),
      run: () => onAct(act),
      when: () => isFree && offered.includes(act),
    })),
  ])
}
