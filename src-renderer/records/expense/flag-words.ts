import { useTranslation } from 'react-i18next'
import type { FlagRepresentation } from '#shared/contract/organization-records/policies'
import { isOfPolicy } from '#shared/domain/policies/terms'
import { flagText } from '#shared/i18n/flag-text'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'

/** What was found against an expense, in the user's words: "Dinner: BRL 212.00, limit BRL 80.00". */
export function useFlagWords(): (flag: Omit<FlagRepresentation, 'policy_id' | 'number'>) => string {
  const { t } = useTranslation('policies')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const money = (amount: number, currency: string) => formatMoney({ amount, currency }, { language, display })
  return (flag) => {
    const { name, params } = flagText(flag, { language, money })
    const found = t(`flags.${name}`, params)
    return isOfPolicy(flag.condition) ? `${flag.policy ?? ''}: ${found}` : found
  }
}
