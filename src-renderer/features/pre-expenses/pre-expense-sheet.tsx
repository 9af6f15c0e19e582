import { useTranslation } from 'react-i18next'
import type { PreExpense } from '#shared/contract/pre-expenses'
import { localeOf } from '#shared/domain/locales'
import { usePreferences } from '../../state/preferences'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { formatMoney } from '../../ui/values/format'
import type { ConversionPlan } from './conversion-plan'
import classes from './pre-expenses.module.css'

/** An act to confirm. */
export type Asked =
  | { readonly kind: 'delete'; readonly rows: readonly PreExpense[] }
  | { readonly kind: 'convert'; readonly plan: ConversionPlan; readonly payerName: string }

type SheetProps<A> = { asked: A; onConfirm: () => void; onCancel: () => void }

/** Asks before something large, or something that cannot be undone. */
export function PreExpenseSheet({ asked, onConfirm, onCancel }: SheetProps<Asked>) {
  if (asked.kind === 'convert') return <ConvertSheet asked={asked} onConfirm={onConfirm} onCancel={onCancel} />
  return <DeleteSheet asked={asked} onConfirm={onConfirm} onCancel={onCancel} />
}

function DeleteSheet({ asked: { rows }, onConfirm, onCancel }: SheetProps<Extract<Asked, { kind: 'delete' }>>) {
  const { t } = useTranslation('pre-expenses')
  return (
    <ConfirmSheet
      title={t('sheet.delete', { count: rows.length })}
      confirmLabel={t('sheet.deleteSend', { count: rows.length })}
      isDanger
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p className={classes.hint}>{t('sheet.deleteHint')}</p>
    </ConfirmSheet>
  )
}

/** The pre-expenses to convert, their sum, and those left out. If none can be converted, it offers only the way back. */
function ConvertSheet({ asked: { plan, payerName }, onConfirm, onCancel }: SheetProps<Extract<Asked, { kind: 'convert' }>>) {
  const { t } = useTranslation('pre-expenses')
  const language = usePreferences((preferences) => preferences.language)
  const display = usePreferences((preferences) => preferences.currencyDisplay)
  const count = plan.targets.length
  const totals = new Intl.ListFormat(localeOf(language).tag).format(plan.totals.map((money) => formatMoney(money, { language, display })))
  return (
    <ConfirmSheet
      title={count === 0 ? t('sheet.convertNone') : t('sheet.convert', { count, totals })}
      confirmLabel={count === 0 ? t('sheet.understood') : t('sheet.convertSend', { count })}
      onConfirm={count === 0 ? onCancel : onConfirm}
      onCancel={onCancel}
    >
      {count > 0 && <p className={classes.hint}>{t('sheet.payer', { name: payerName })}</p>}
      {plan.incomplete > 0 && <p className={classes.hint}>{t('sheet.incomplete', { count: plan.incomplete })}</p>}
    </ConfirmSheet>
  )
}
