import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text'
import { ownWritesShown } from '../../api/own-writes'
import { decideOffers } from '../../api/replica'
import { notifyDone, notifyFailure } from '../../state/notices'
import { sendSlices, type SliceProgress } from './send-slices'

type Choice = { readonly organization_id: number; readonly decision: 'accept' | 'dismiss' }

/** The acts on offers, their progress, and why some were rejected, by id. */
export type OfferActs = {
  readonly progress: SliceProgress | null
  readonly refusals: ReadonlyMap<number, string>
  readonly run: (ids: readonly number[], choice: Choice) => void
}

/** Creates or dismisses offers; those that were refused stay selected with the reason. */
export function useOfferActs(setSelected: (ids: ReadonlySet<number>) => void): OfferActs {
  const { t } = useTranslation('sync')
  const [progress, setProgress] = useState<OfferActs['progress']>(null)
  const [refusals, setRefusals] = useState<OfferActs['refusals']>(new Map())
  const work = async (ids: readonly number[], choice: Choice) => {
    const { done, results, error } = await sendSlices(ids, (slice) => decideOffers({ ids: slice, ...choice }), setProgress)
    const refused = new Map(results.flatMap((result) => result.refused.map(({ id, message }) => [id, message] as const)))
    if (error !== null) notifyFailure({ title: t('offers.failed'), message: failureText(error) })
    else {
      const count = results.reduce((sum, { accepted }) => sum + accepted, 0)
      const told = t(choice.decision === 'accept' ? 'offers.created' : 'offers.dismissed', { count })
      notifyDone(refused.size === 0 ? told : `${told} ${t('offers.refused', { count: refused.size })}`)
    }
    setRefusals(refused)
    setSelected(new Set([...refused.keys(), ...ids.slice(done)]))
    await ownWritesShown()
    setProgress(null)
  }
  return { progress, refusals, run: (ids, choice) => void work(ids, choice) }
}
