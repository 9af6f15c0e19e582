import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { notifyFailure } from '#renderer/state/notices'
import { formatView, parseView, unknownParts, type ReviewView } from '#renderer/records/filters/review-view'

/** The address as the review screen reads and writes it. */
export type ReviewAddress = {
  readonly view: ReviewView
  /** Shows another view, from its beginning; the way back leads to this one, unless it `isReplacing` it. */
  readonly show: (change: Partial<ReviewView>, options?: { isReplacing: boolean }) => void
  /** Opens an expense next to the list, or with null closes it. `isReplacing`: the way back does not stop here. */
  readonly open: (id: number | null, options: { isReplacing: boolean }) => void
}

/** Everything that the review screen shows is in its address, so that a person can return to it and share it. */
export function useReviewAddress(): ReviewAddress {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { t } = useTranslation('review')
  const view = useMemo(() => parseView(search), [search])
  const unknown = unknownParts(search).join(', ')
  useEffect(() => {
    if (unknown !== '') notifyFailure({ title: t('filter.unknown', { parts: unknown }), message: t('filter.rest') })
  }, [unknown, t])
  return useMemo(
    () => ({
      view,
      show: (change, { isReplacing } = { isReplacing: false }) =>
        navigate(`/review?${formatView({ ...view, ...change })}`, { replace: isReplacing }),
      open: (id, { isReplacing }) => navigate(`/review${id === null ? '' : `/${id}`}?${formatView(view)}`, { replace: isReplacing }),
    }),
    [view, navigate],
  )
}
