import { useCallback } from 'react'
import { usePreferences } from '../../state/preferences'
import { formatMoney, type Money } from '../../ui/format'

/** Amounts of several currencies as one text: `BRL 61,204.10 · USD 310.00`. */
export function useTotalsText(): (totals: readonly Money[]) => string {
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  return useCallback(
    (totals) => totals.map((total) => formatMoney(total, { language, display })).join(' · '),
    [language, display],
  )
}
