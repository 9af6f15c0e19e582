import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text'
import { decideOffers } from '../../api/replica'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../../ui/format'
import { notifyDone, notifyFailure } from '../../ui/toast'

/** So many go in one request: few enough that stopping stops soon. */
const sliceSize = 25

type Choice = { readonly organization_id: number; readonly decision: 'accept' | 'dismiss' }

/** What is done with offers, how far it is, and why some were not taken, by id. */
export type OfferActs = {
  readonly progress: { readonly done: number; readonly total: number; readonly onStop: () => void } | null
  readonly refusals: ReadonlyMap<number, string>
  readonly run: (ids: readonly number[], choice: Choice) => void
}

/** Creates or dismisses offers in slices that can be stopped between; those that were refused stay selected with the reason. */
export function useOfferActs(setSelected: (ids: ReadonlySet<number>) => void): OfferActs {
  const { t } = useTranslation('sync')
  const client = useQueryClient()
  const language = usePreferences((state) => state.language)
  const isStopped = useRef(false)
  const [progress, setProgress] = useState<OfferActs['progress']>(null)
  const [refusals, setRefusals] = useState<OfferActs['refusals']>(new Map())
  const work = async (ids: readonly number[], choice: Choice) => {
    isStopped.current = false
    const onStop = () => {
      isStopped.current = true
    }
    const refused = new Map<number, string>()
    let accepted = 0
    let done = 0
    try {
      while (done < ids.length && !isStopped.current) {
        setProgress({ done, total: ids.length, onStop })
        const slice = ids.slice(done, done + sliceSize)
        const result = await decideOffers({ ids: slice, ...choice })
        accepted += result.accepted
        done += slice.length
        for (const { id, message } of result.refused) refused.set(id, message)
      }
      const counted = { count: accepted, formatted: formatCount(accepted, language) }
      const told = t(choice.decision === 'accept' ? 'offers.created' : 'offers.dismissed', counted)
      notifyDone(refused.size === 0 ? told : `${told} ${t('offers.refused', { count: refused.size })}`)
    } catch (error) {
      notifyFailure({ title: t('offers.failed'), message: failureText(error) })
    } finally {
      setRefusals(refused)
      setSelected(new Set([...refused.keys(), ...ids.slice(done)]))
      await client.invalidateQueries()
      setProgress(null)
    }
  }
  return { progress, refusals, run: (ids, choice) => void work(ids, choice) }
}
