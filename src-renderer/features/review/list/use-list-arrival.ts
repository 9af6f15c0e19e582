import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '#renderer/state/notices'

/** `count`: of the rows, undefined until they are read. `areGroupsRead`: null while the list is not grouped. */
type Arrival = { count: number | undefined; areGroupsRead: boolean | null; focusList: () => void }

/** Says how many rows a list has once it is read, and gives it the keys where nothing else has them. */
export function useListArrival({ count, areGroupsRead, focusList }: Arrival): void {
  const { t } = useTranslation('review')
  const hasRows = count !== undefined && count > 0
  useEffect(() => {
    if (count !== undefined) announce(t('list.count', { count }))
  }, [count, t])
  const takeKeys = useEffectEvent(() => {
    if (document.activeElement === document.body) focusList()
  })
  useEffect(() => {
    takeKeys()
  }, [areGroupsRead, hasRows])
}
