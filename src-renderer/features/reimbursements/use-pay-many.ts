import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useDeleteReimbursement, usePay } from '../../api/reimbursements'
import { notifyFailure } from '../../state/notices'
import { usePreferences } from '../../state/preferences'
import { relabelAct } from '../../state/undo-stack'
import { useSettlementWriting } from '../../records/settlement/settlement-fields'
import { newKey } from '../../ui/values/clock'
import { formatMoney, type Money } from '../../ui/values/format'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import { sumMoney } from '../../ui/values/sums'
import type { PlannedPayment } from './pay-sheet'

/** Offers to undo a payment: its reimbursement is deleted, and its expenses are approved again. */
export function useOfferPaymentUndo(offerUndo: OfferUndo) {
  const { t } = useTranslation('reimbursements')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const { mutateAsync: remove } = useDeleteReimbursement()
  return (paid: Money & { name: string }, paying: Promise<Reimbursement | undefined>, { onUndone }: { onUndone?: () => void } = {}) =>
    offerUndo(
      t('pay.done', { amount: formatMoney(paid, { language, display }), name: paid.name }),
      async () => {
        const made = await paying
        if (!made) return ''
        await remove(made)
        onUndone?.()
        return undefined
      },
      { after: paying.then((made) => made !== undefined) },
    )
}

/** Records a planned payment; undefined where it failed, which is said. */
function usePayPlanned(): (payment: PlannedPayment) => Promise<Reimbursement | undefined> {
  const { t } = useTranslation('reimbursements')
  const { mutateAsync } = usePay()
  const { language, today } = useSettlementWriting()
  const display = usePreferences((state) => state.currencyDisplay)
  /** The key of each payment that has no answer: tried again, it is recorded once. */
  const keys = useRef(new Map<string, string>())
  return async ({ due, amount, currency, expense_ids }) => {
    const payer = { id: due.payer_id, type: 'Organization' }
    const receiver = { id: due.receiver_id, type: 'User' }
    const body = { payer, receiver, amount, currency, date: today, description: '', tags: [], expense_ids }
    const text = JSON.stringify(body)
    const key = keys.current.get(text) ?? newKey()
    keys.current.set(text, key)
    try {
      const made = await mutateAsync({ body, key })
      keys.current.delete(text)
      return made
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0) keys.current.delete(text)
      const title = t('pay.failed', { amount: formatMoney({ amount, currency }, { language, display }), name: due.name })
      notifyFailure({ title, message: failureText(error) })
      return undefined
    }
  }
}

/** Records payments one after another; several are one act, and undone as one. */
export function usePayMany(offerUndo: OfferUndo): (payments: readonly PlannedPayment[]) => Promise<void> {
  const { t } = useTranslation('reimbursements')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const pay = usePayPlanned()
  const offer = useOfferPaymentUndo(offerUndo)
  const { mutateAsync: remove } = useDeleteReimbursement()
  const labelOf = (some: readonly PlannedPayment[]) => {
    const sums = sumMoney(some).map((sum) => formatMoney(sum, { language, display }))
    return t('pay.doneMany', { count: some.length, sums: sums.join(' · ') })
  }
  const payAll = async (payments: readonly PlannedPayment[]) => {
    const made: Reimbursement[] = []
    const record = async () => {
      const done: PlannedPayment[] = []
      for (const payment of payments) {
        const one = await pay(payment)
        if (one) made.push(one)
        if (one) done.push(payment)
      }
      return done
    }
    const recorded = record()
    const undo = async () => {
      await recorded
      // What a failure leaves can still be undone.
      for (let last = made.at(-1); last; last = made.at(-1)) {
        await remove(last)
        made.pop()
      }
    }
    const after = recorded.then((done) => {
      if (done.length < payments.length) relabelAct(actId, labelOf(done))
      return done.length > 0
    })
    const actId = offerUndo(labelOf(payments), undo, { after })
    await recorded
  }
  return async (payments) => {
    const [only, ...others] = payments
    if (!only || others.length > 0) return payAll(payments)
    const paying = pay(only)
    offer({ amount: only.amount, currency: only.currency, name: only.due.name }, paying)
    await paying
  }
}
