import { Button, Textarea } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { failureText } from '#renderer/api/failure-text'
import { useDecisionWrite } from '#renderer/api/repeats'
import { expenseArea } from '#renderer/records/expense/expense-moves'
import { offerUndo } from '#renderer/state/undo-stack'
import { now } from '#renderer/ui/values/clock'
import { useExpenseAccess } from '../expense-access'
import { useMove } from '../use-move'
import { useOfferedStatuses } from '../expense-writes'
import classes from './repeats.module.css'

type Pair = { readonly one: Expense; readonly other: Expense }

/** Says that two expenses are no repeats, and offers to take that back. */
function useDecide({ one, other }: Pair, onDone: () => void) {
  const { t } = useTranslation('repeats')
  const { mutateAsync, isPending, error } = useDecisionWrite(one.payer.id)
  // The pair is gone from the screen by the time that its decision is shown everywhere.
  const decide = async (reason: string) => {
    const fields = { expense_id: one.id, other_expense_id: other.id, name: reason }
    const deciding = mutateAsync({ kind: 'create', fields }).catch(() => null)
    const undo = async () => {
      const record = await deciding
      if (record) await mutateAsync({ kind: 'delete', record })
    }
    const act = { area: expenseArea, label: t('done', { one: one.id, other: other.id }), at: now().toISOString(), undo }
    offerUndo(act, { after: deciding.then((record) => record !== null) })
    if (await deciding) onDone()
  }
  return { decide, isDeciding: isPending, error: error ? failureText(error) : undefined }
}

/** What a reviewer does about two expenses that may be one purchase: neither is a repeat, or one is rejected. */
export function DecidePair({ one, other, onDone }: Pair & { onDone: () => void }) {
  const { t } = useTranslation('repeats')
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { decide, isDeciding, error } = useDecide({ one, other }, onDone)
  const remark = reason.trim()
  const reasonRef = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => reasonRef.current?.focus({ preventScroll: true }), [])
  const send = () => (remark === '' ? setMissing(true) : void decide(remark))
  return (
    <div className={classes.decide}>
      <Textarea
        ref={reasonRef}
        label={t('reason')}
        description={t('reasonHint')}
        value={reason}
        onChange={(event) => {
          setReason(event.currentTarget.value)
          setMissing(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
        }}
        error={isMissing && t('reasonMissing')}
        maxLength={500}
        data-autofocus
        autosize
        minRows={1}
        maxRows={4}
      />
      <div className={classes.actions}>
        {[one, other].map((expense) => (
          <RejectButton key={expense.id} expense={expense} remark={remark} onDone={onDone} />
        ))}
        <Button onClick={send} disabled={isDeciding}>
          {t('notRepeat')}
        </Button>
      </div>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Rejects one of the two, where the server offers that. */
function RejectButton({ expense, remark, onDone }: { expense: Expense; remark: string; onDone: () => void }) {
  const { t } = useTranslation('repeats')
  const access = useExpenseAccess(expense)
  const { data: offered = [] } = useOfferedStatuses(expense, access.relation)
  const { move, isMoving, error } = useMove(expense, onDone)
  if (!offered.includes('rejected')) return null
  return (
    <>
      <Button variant="default" disabled={isMoving} onClick={() => void move({ kind: 'reject', reason: remark })}>
        {t('reject', { id: expense.id })}
      </Button>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </>
  )
}
