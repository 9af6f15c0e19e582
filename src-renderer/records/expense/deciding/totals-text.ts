import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '#renderer/state/preferences'
import { formatMoney, type Money } from '#renderer/ui/values/format'

/** Amounts of several currencies as one text, `BRL 61,204.10 · USD 310.00`, and what was claimed where that is something else. */
export function useTotalsText(): (totals: readonly Money[], claimed?: readonly Money[]) => string {
  const { t } = useTranslation('review')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  return useCallback(
    (totals, claimed = totals) => {
      const textOf = (amounts: readonly Money[]) =>
        amounts
          .toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
          .map((total) => formatMoney(total, { language, display }))
          .join(' · ')
      const [counted, before] = [textOf(totals), textOf(claimed)]
      return counted === before ? counted : t('list.ofClaimed', { counted, claimed: before })
    },
    [t, language, display],
  )
}
