import { useTranslation } from 'react-i18next'
import type { ReplicaList, ReplicaOperation } from '#shared/contract/instance/replica'
import { heldTimeMs } from '../../state/held-acts'
import { useUndo } from '../../ui/feedback/use-undo'
import { actsFor, decidable, type Act } from './answer'
import { exportOperation } from './export-operation'
import { holdDecision } from './held-decisions'

/** Carries out an act on operations: on those that allow it, and reports how many stay. */
export type ActOn = (operations: readonly ReplicaOperation[], act: Act) => void

/** Decides about operations of a list, with undo; `onBack` gets the restored ones. */
export function useDecisions(list: ReplicaList, onBack: (operations: readonly ReplicaOperation[]) => void): ActOn {
  const { t } = useTranslation('sync')
  const offerUndo = useUndo({ scope: 'sync-undo', title: t('title') })
  return (operations, act) => {
    const [only] = operations
    if (act === 'export') {
      if (only && actsFor(only).includes(act)) exportOperation(only)
      return
    }
    const decided = decidable(operations, act)
    if (decided.length === 0) return
    const takeBack = holdDecision({ list, operations: decided, decision: act }, t)
    const told = t(`decided.${act}`, { count: decided.length })
    const rest = operations.length - decided.length
    const undo = async () => {
      if (!takeBack()) return t('decided.tooLate')
      onBack(operations)
      return undefined
    }
    offerUndo(rest === 0 ? told : `${told}. ${t('decided.rest', { count: rest })}`, undo, { lastsMs: heldTimeMs })
  }
}
