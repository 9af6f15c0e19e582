import { useTranslation } from 'react-i18next'
import { countedAmount } from '#shared/domain/counted-amount'
import { failureText } from '#renderer/api/failure-text'
import type { ReviewAction } from './review-actions'
import type { Skipped } from '#renderer/records/expense/deciding/batch-plan'
import { addTotals } from '#renderer/ui/values/sums'
import { targetOf, type Decision } from '#renderer/records/expense/deciding/decision'
import { useReasonsText } from '#renderer/records/expense/deciding/reasons-text'
import { useTotalsText } from '#renderer/records/expense/deciding/totals-text'
import type { ActWords, WriteResult } from '#renderer/records/expense/deciding/act'

/** The reports to the reviewer about their work, in their language. */
export function useWorkWords() {
  const { t } = useTranslation(['review', 'status', 'ui'])
  const totalsText = useTotalsText()
  const reasonsText = useReasonsText()
  const met = (act: Decision, count: number) => t('review:result.met', { count, what: t(`status:${targetOf(act)}`) })
  const withRest = (message: string, result: WriteResult) =>
    [
      message,
      ...(result.failed.length > 0 ? [t('review:result.failed', { count: result.failed.length }), reasonsText(result.reasons)] : []),
      ...(result.isStopped ? [t('review:result.stopped')] : []),
    ].join(' ')
  const done: ActWords['done'] = (act, count) => t(`review:done.${targetOf(act)}`, { count })
  return {
    done,
    reasons: ({ reasons }: WriteResult) => reasonsText(reasons),
    result: (act: Decision, result: WriteResult) => {
      const isMet = result.met > 0 && result.done.length === 0
      const others = result.met > 0 ? [met(act, result.met)] : []
      return withRest([...(isMet ? [] : [`${done(act, result.done.length)}.`]), ...others].join(' '), result)
    },
    /** Whose it was and how much, for who does not see the rows. */
    of: ({ done: expenses }: WriteResult) => {
      const [first, ...more] = expenses
      const sums = totalsText(addTotals(expenses.map(countedAmount)))
      return first && more.length === 0 ? `${first.receiver.name}, ${sums}` : sums
    },
    travelled: (kind: 'undo' | 'redo', act: Decision, result: WriteResult) =>
      withRest(`${t(`review:result.${kind}`, { what: done(act, result.done.length) })}.`, result),
    action: (id: ReviewAction['id']) => t(`review:action.${id}`),
    notShownYet: t('review:notShownYet'),
    busy: t('review:busy'),
    later: t('ui:history.later'),
    notDone: (act: Decision, count: number) => t('review:result.notDone', { count, what: t(`status:${targetOf(act)}`) }),
    cannot: ({ reason, message, status }: Skipped, action: ReviewAction['id']) => {
      const kind = (['already', 'not_offered', 'forbidden'] as const).find((code) => code === reason)
      if (kind === undefined) return message
      return t(`review:cannot.${kind}`, {
        action: t(`review:action.${action}`).toLocaleLowerCase(),
        status: t(`status:${status}`).toLocaleLowerCase(),
      })
    },
    unplanned: (error: unknown) => ({ title: t('review:plan.unread'), message: failureText(error) }),
    failure: (error: unknown) => ({ title: t('review:result.broken'), message: `${t('review:result.brokenKept')} ${failureText(error)}` }),
  }
}
