import { useTranslation } from 'react-i18next'

/** Why expenses stay as they are, in words: each reason once, the most frequent first, with how many where there are several. */
export function useReasonsText(): (reasons: readonly string[]) => string {
  const { t } = useTranslation('review')
  return (reasons) => {
    const counted = [...Map.groupBy(reasons, (reason) => reason)].toSorted(([, a], [, b]) => b.length - a.length)
    return counted.map(([message, { length: count }]) => (counted.length === 1 ? message : t('plan.other', { count, message }))).join(' ')
  }
}
