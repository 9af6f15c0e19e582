import { useTranslation } from 'react-i18next'
import type { FlagRepresentation } from '#shared/contract/organization-records/policies'
import { writeDistance } from '#shared/domain/amount-text'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'

/** What a policy found against an expense, in the user's words: "BRL 212.00, limit BRL 80.00". */
export function useFlagWords(): (flag: Omit<FlagRepresentation, 'policy_id' | 'number'>) => string {
  const { t } = useTranslation('policies')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  return ({ policy, condition, is_checked, value, limit, currency, unit, period }) => {
    if (condition === 'invoice_altered') return t('flags.invoice_altered')
    if (condition === 'repeat') return t('flags.repeat', { count: value ?? 1 })
    const written = (measure: number | null) => {
      if (measure === null) return ''
      if (unit !== null) return `${writeDistance(measure, language)} ${unit}`
      return currency === null ? '' : formatMoney({ amount: measure, currency }, { language, display })
    }
    const measured = { value: written(value), limit: written(limit) }
    if (condition === 'receipt_total') return t('flags.receipt_total', measured)
    const found = !is_checked
      ? t('flags.unchecked', { currency })
      : condition === 'receipt_missing' && limit !== null
        ? t('flags.receipt_above', measured)
        : condition === 'older_than'
          ? t('flags.older_than', { count: value ?? 0, limit })
          : condition === 'invoice_date'
            ? t('flags.invoice_date', { count: value ?? 0 })
            : period === null
              ? t(`flags.${condition}`, measured)
              : t(`flags.sum.${period}`, measured)
    return `${policy ?? ''}: ${found}`
  }
}
