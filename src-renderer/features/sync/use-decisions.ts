import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReplicaOperation } from '#shared/contract/replica'
import { failureText } from '../../api/failure-text'
import { resolveOperation, type Decision } from '../../api/replica'
import { announce } from '../../ui/live-region'
import { notifyDone } from '../../ui/toast'
import type { Act } from './answer'
import { exportOperation } from './export-operation'

/** What a person decides about operations, and what came of the last decision that was refused. */
export type Decisions = {
  readonly isBusy: boolean
  readonly refusal: { readonly op_id: string; readonly text: string } | null
  readonly run: (operation: ReplicaOperation, decision: Decision) => void
  /** What carries out an act on an operation; `onDiscard` asks first. */
  readonly actOn: (operation: ReplicaOperation, onDiscard: () => void) => (act: Act) => void
}

/** Carries out decisions, one at a time; what they change is read anew wherever it is shown. */
export function useDecisions(): Decisions {
  const { t } = useTranslation('sync')
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Decisions['refusal']>(null)
  const decide = async ({ op_id }: ReplicaOperation, decision: Decision) => {
    if (isBusy) return
    setBusy(true)
    setRefusal(null)
    try {
      await resolveOperation(op_id, decision)
      notifyDone(t(`decided.${decision}`))
    } catch (error) {
      const text = failureText(error)
      setRefusal({ op_id, text })
      announce(text)
    } finally {
      await client.invalidateQueries()
      setBusy(false)
    }
  }
  const run: Decisions['run'] = (operation, decision) => void decide(operation, decision)
  return {
    isBusy,
    refusal,
    run,
    actOn: (operation, onDiscard) => (act) => {
      if (act === 'export') exportOperation(operation)
      else if (act === 'discard') onDiscard()
      else run(operation, act)
    },
  }
}
