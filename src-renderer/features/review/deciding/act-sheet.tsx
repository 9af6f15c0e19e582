import { Button, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { parseAmountInput, writeAmount } from '#shared/domain/amount-text'
import { usePreferences } from '#renderer/state/preferences'
import { AmountField } from '#renderer/ui/form/amount-text'
import { CancelButton, DraftForm } from '#renderer/ui/form/draft-form'
import { useEarlyConfirm } from '#renderer/ui/feedback/early-confirm'
import parts from '#renderer/ui/parts.module.css'
import { useFocusBack } from '#renderer/ui/form/use-focus-back'
import { useFormDraft } from '#renderer/ui/form/use-form-draft'
import { ClaimLine } from '#renderer/records/expense/claim-line'
import type { Decision } from '#renderer/records/expense/deciding/decision'
import { PlanText } from '#renderer/records/expense/deciding/plan-text'
import { isAsAsked, type Planned } from '#renderer/records/expense/deciding/use-planned'
import type { ReasonKind, RecentReasons } from './recent-reasons'
import classes from '../review.module.css'

/** What a sheet asks before an act: a part of the amount of one expense, or a reason for one or many. */
export type ActAsk = { readonly kind: 'approve_part'; readonly expense: Expense } | { readonly kind: Exclude<ReasonKind, 'approve_part'> }

/** What the sheet is given. `record`: what it is asked for, under which its words are kept; `planned`: of a batch. */
type ActSheetProps = {
  ask: ActAsk
  record: string
  planned: Planned | undefined
  reasons: RecentReasons
  onAct: (act: Decision) => void
  onCancel: () => void
}

/** A sheet at the foot of the list that asks what an act needs; Enter sends, Escape backs out, focus returns to where it was. */
export function ActSheet({ ask, record, planned, reasons, onAct, onCancel }: ActSheetProps) {
  const { t } = useTranslation('review')
  const language = usePreferences((state) => state.language)
  const titleId = useId()
  const formRef = useRef<HTMLFormElement>(null)
  const expense = ask.kind === 'approve_part' ? ask.expense : undefined
  const draft = useFormDraft({
    form: 'review-act',
    record: `${record} ${ask.kind}`,
    stored: {
      amount: expense ? writeAmount(expense.amount, { currency: expense.currency, language }) : '',
      currency: expense?.currency ?? '',
      reason: '',
    },
  })
  const { amount: amountText, reason } = draft.value
  const [isAsked, setAsked] = useState(false)
  useFocusBack()
  useLayoutEffect(() => {
    const first = formRef.current?.querySelector('input')
    first?.focus({ preventScroll: true })
    first?.select()
  }, [])
  const parsed = expense ? parseAmountInput(amountText, { currency: expense.currency, language }) : undefined
  const amountFault = !expense
    ? undefined
    : parsed?.kind !== 'ok'
      ? t('sheet.amountWrong')
      : parsed.amount > expense.amount
        ? t('sheet.amountTooLarge')
        : undefined
  const isReasonMissing = reason.trim() === '' && !(expense && parsed?.kind === 'ok' && parsed.amount === expense.amount)
  const isWaiting = planned !== undefined && planned.plan === undefined
  const isWrong = amountFault !== undefined || isReasonMissing
  const send = () => {
    if (isWrong) return
    draft.done()
    if (ask.kind === 'approve_part') {
      if (parsed?.kind === 'ok') onAct({ kind: 'approve_part', amount: parsed.amount, reason: reason.trim() })
    } else onAct({ kind: ask.kind, reason: reason.trim() })
  }
  const { confirm, hint } = useEarlyConfirm({ isWaiting, isAsAsked: planned !== undefined && isAsAsked(planned), go: send })
  const onSubmit = () => {
    setAsked(true)
    if (!isWrong) confirm()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onCancel()
  }
  const count = planned ? (planned.plan?.acting.length ?? planned.total ?? 0) : 1
  return (
    <section className={parts.sheet} role="dialog" aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <h2 id={titleId} className={parts.sheetTitle}>
        {t(`sheet.title.${ask.kind}`, { count })}
      </h2>
      {expense && <ClaimLine expense={expense} />}
      {planned && <PlanText planned={planned} />}
      <DraftForm draft={draft} formRef={formRef} className={classes.form} onSubmit={onSubmit}>
        {expense && (
          <AmountField
            label={t('sheet.amount', { currency: expense.currency })}
            of={{ kind: 'amount', text: amountText, currency: expense.currency }}
            onText={(text) => draft.change({ amount: text })}
            error={isAsked ? amountFault : undefined}
          />
        )}
        <ReasonField
          kind={ask.kind}
          reason={reason}
          onReason={(text) => draft.change({ reason: text })}
          recent={reasons.of(ask.kind)}
          onRemove={(text) => reasons.remove(ask.kind, text)}
          error={isAsked && isReasonMissing ? t(`sheet.reasonMissing.${ask.kind}`) : undefined}
        />
        {hint}
        <div className={parts.sheetActions}>
          <CancelButton draft={draft} onLeave={onCancel} />
          <Button type="submit" aria-disabled={isWaiting} data-disabled={isWaiting || undefined}>
            {t(`sheet.send.${ask.kind}`, { count })}
          </Button>
        </div>
      </DraftForm>
    </section>
  )
}

type ReasonFieldProps = {
  kind: ActAsk['kind']
  reason: string
  onReason: (reason: string) => void
  recent: readonly string[]
  onRemove: (reason: string) => void
  error: string | undefined
}

/** A reason, with those used last one arrow key away; Shift+Delete, or its button, removes one of them. */
function ReasonField({ kind, reason, onReason, recent, onRemove, error }: ReasonFieldProps) {
  const { t } = useTranslation('review')
  const at = recent.indexOf(reason)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Delete' && event.shiftKey && at >= 0) {
      event.preventDefault()
      onRemove(reason)
      return onReason('')
    }
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 || recent.length === 0) return
    event.preventDefault()
    onReason(recent[(at + by + recent.length) % recent.length] ?? '')
  }
  return (
    <>
      <TextInput
        label={t(`sheet.reason.${kind}`)}
        value={reason}
        onChange={(event) => onReason(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={error}
        maxLength={2000}
      />
      {recent.length > 0 && (
        <ul className={classes.recent} aria-label={t('sheet.recent')}>
          {recent.map((known) => (
            <li key={known}>
              <button type="button" tabIndex={-1} data-on={known === reason || undefined} title={known} onClick={() => onReason(known)}>
                {known}
              </button>
              <button
                type="button"
                tabIndex={-1}
                className={classes.recentRemove}
                title={t('sheet.removeReason', { reason: known })}
                aria-label={t('sheet.removeReason', { reason: known })}
                onClick={() => onRemove(known)}
              >
                <X size={12} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
