import { useTranslation } from 'react-i18next'
import type { ExpenseStatus } from '#shared/domain/expense-status'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../../ui/format'
import type { ReviewAction } from './actions'
import type { SkipKind } from './batch-plan'
import type { WriteResult } from './reviewer'

/** What the reviewer is told of their work, in their language. */
export function useWorkWords() {
  const { t } = useTranslation(['review', 'status'])
  const language = usePreferences((state) => state.language)
  const counted = (count: number) => ({ count, formatted: formatCount(count, language) })
  const withRest = (message: string, { failed, isStopped }: WriteResult) =>
    [
      message,
      ...(failed.length > 0 ? [t('review:result.failed', counted(failed.length))] : []),
      ...(isStopped ? [t('review:result.stopped')] : []),
    ].join(' ')
  return {
    undo: t('review:action.undo'),
    result: (status: ExpenseStatus, result: WriteResult) =>
      withRest(`${t(`review:done.${status}`, counted(result.done.length))}.`, result),
    travelled: (kind: 'undo' | 'redo', { status, result }: { status: ExpenseStatus; result: WriteResult }) =>
      withRest(`${t(`review:result.${kind}`, { what: t(`review:done.${status}`, counted(result.done.length)) })}.`, result),
    nothing: (kind: 'undo' | 'redo') => t(`review:result.nothing.${kind}`),
    cannot: (kind: SkipKind, { action, status }: { action: ReviewAction['id']; status: ExpenseStatus }) =>
      t(`review:cannot.${kind}`, {
        action: t(`review:action.${action}`).toLocaleLowerCase(),
        status: t(`status:${status}`).toLocaleLowerCase(),
      }),
    failure: (error: unknown) => ({
      title: t('review:result.broken'),
      message: `${t('review:result.brokenKept')} ${error instanceof Error ? error.message : ''}`.trim(),
    }),
  }
}
