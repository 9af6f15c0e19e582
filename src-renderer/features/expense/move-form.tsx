import { Button, Checkbox, Textarea } from '@mantine/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { parseAmountInput, writeAmount } from '#shared/domain/amount-text'
import type { ExpenseStatus } from '#shared/domain/expense-status'
import { usePreferences } from '../../state/preferences'
import { AmountField } from '../../ui/form/amount-text'
import { CancelButton, DraftForm } from '../../ui/form/draft-form'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { ClaimLine } from '../../records/expense/claim-line'
import classes from './expense.module.css'
import type { Decision } from '../../records/expense/deciding/decision'
import { useFocusBack } from '../../ui/form/use-focus-back'

/** A move that asks for something first. */
export type MoveAsk = { readonly status: ExpenseStatus; readonly asks: 'amount' | 'reason' | 'tolerance' | 'nothing' }

type MoveWriting = { readonly amount: string; readonly currency: string; readonly remark: string; readonly isTolerated: boolean }

/** The form of a move: Enter sends, Shift+Enter begins a line, Escape backs out. */
export function MoveForm({
  expense,
  ask,
  error,
  isMoving,
  onMove,
  onCancel,
}: {
  expense: Expense
  ask: MoveAsk
  error: string | undefined
  isMoving: boolean
  onMove: (decision: Decision, onStored: () => void) => void
  onCancel: () => void
}) {
  const { t } = useTranslation('expense')
  const language = usePreferences((state) => state.language)
  const formRef = useRef<HTMLFormElement>(null)
  useFocusBack({ partRef: formRef, fallback: '#expense-move' })
  const draft = useFormDraft<MoveWriting>({
    form: 'expense-move',
    record: moveRecord(expense, ask),
    stored: {
      amount: writeAmount(expense.amount, { currency: expense.currency, language }),
      currency: expense.currency,
      remark: '',
      isTolerated: false,
    },
  })
  const { amount, remark, isTolerated } = draft.value
  const [amountError, setAmountError] = useState<string>()
  const [isReasonMissing, setReasonMissing] = useState(false)
  const name = ask.asks === 'amount' && ask.status === 'approved' ? 'part' : ask.status
  const needsRemark = ask.asks === 'tolerance' && isTolerated
  const asksRemark = needsRemark || ask.asks === 'amount' || ask.asks === 'reason'
  const send = () => {
    const read = parseAmountInput(amount, { currency: expense.currency, language })
    if (ask.asks === 'amount' && read.kind !== 'ok') return setAmountError(t(`errors.amount.${read.kind}`))
    if (ask.asks === 'amount' && read.kind === 'ok' && read.amount > expense.amount) return setAmountError(t('errors.amount.above'))
    if (needsRemark && remark.trim() === '') return setReasonMissing(true)
    return onMove(
      toDecision(ask, { amount: read.kind === 'ok' ? read.amount : expense.amount, reason: remark.trim(), isTolerated }),
      draft.done,
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.target instanceof HTMLButtonElement) return
    send()
    event.preventDefault()
  }
  return (
    <DraftForm
      draft={draft}
      words={{ name: (field) => t(field === 'amount' ? 'fields.approved_amount' : 'moves.reason') }}
      formRef={formRef}
      className={classes.moveForm}
      aria-label={t(`moves.${name}`)}
      onKeyDown={onKeyDown}
      onSubmit={send}
      onLeave={onCancel}
    >
      {ask.status === 'liquidated' && <p className={classes.hint}>{t('moves.liquidatedHint')}</p>}
      {ask.asks === 'amount' && <ClaimLine expense={expense} />}
      {ask.asks === 'amount' && (
        <AmountField
          label={t('moves.amount', { currency: expense.currency })}
          of={{ kind: 'amount', text: amount, currency: expense.currency }}
          error={amountError}
          autoFocus
          onText={(text) => {
            draft.change({ amount: text })
            setAmountError(undefined)
          }}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {ask.asks === 'tolerance' && (
        <Checkbox
          label={t('moves.tolerate')}
          checked={isTolerated}
          autoFocus
          onChange={(event) => draft.change({ isTolerated: event.currentTarget.checked })}
        />
      )}
      {asksRemark && (
        <Textarea
          label={t('moves.reason')}
          value={remark}
          autosize
          minRows={2}
          maxRows={6}
          autoFocus={ask.asks === 'reason'}
          error={isReasonMissing && t('errors.tolerance')}
          onChange={(event) => {
            draft.change({ remark: event.currentTarget.value })
            setReasonMissing(false)
          }}
        />
      )}
      {error && (
        <p className={classes.moveError} role="alert">
          {error}
        </p>
      )}
      <div className={classes.formActions}>
        <CancelButton draft={draft} onLeave={onCancel} />
        <Button type="submit" disabled={isMoving} autoFocus={ask.asks === 'nothing'}>
          {t(`moves.${name}`)}
        </Button>
      </div>
    </DraftForm>
  )
}

function toDecision(
  { status, asks }: MoveAsk,
  { amount, reason, isTolerated }: { amount: number; reason: string; isTolerated: boolean },
): Decision {
  switch (status) {
    case 'approved':
      return { kind: 'approve_part', amount, reason }
    case 'rejected':
      return { kind: 'reject', reason }
    case 'pending':
      return { kind: 'ask', reason }
    case 'noncompliant':
      return isTolerated ? { kind: 'tolerate', reason } : { kind: 'mark_noncompliant' }
    default:
      return asks === 'amount' ? { kind: 'settle', amount, reason } : { kind: 'move', status }
  }
}

/** What the form of a move is kept under: an expense has one for each of its moves. */
export function moveRecord({ id }: Expense, { status, asks }: MoveAsk): string {
  return `${id} ${status} ${asks}`
}
