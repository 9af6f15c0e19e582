import { useTranslation } from 'react-i18next'
import { parseAmountInput } from '#shared/domain/amount-text'
import type { DraftForm } from '../../state/draft'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'

/** The amount or distance of a draft in a list, formatted like that of an expense, or that there is none yet. */
export function DraftAmount({ form }: { form: DraftForm }) {
  const { t } = useTranslation('ui')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  if (form.kind === 'distance') return form.distance.trim() === '' ? t('noDistance') : `${form.distance.trim()} ${form.distance_kind}`
  const { currency } = form
  const parsed = parseAmountInput(form.amount, { currency, language })
  return parsed.kind === 'ok' ? formatMoney({ amount: parsed.amount, currency }, { language, display }) : t('noAmount')
}
