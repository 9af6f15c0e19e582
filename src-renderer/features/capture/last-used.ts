import { z } from 'zod'
import { distanceKinds } from '#shared/domain/distance'
import type { DraftDefaults, DraftForm } from '../../state/draft'

const storageKey = 'outlay.last-used'
const mostPlaces = 20

const schema = z.object({
  currency: z.string().nullable().catch(null),
  tags: z.array(z.string()).catch([]),
  distance_kind: z.enum(distanceKinds).catch('km'),
  places: z.array(z.string()).catch([]),
})

/** What the last expense of this device was entered with. */
export type LastUsed = z.infer<typeof schema>

/** Reads it; damaged or missing parts are as if never used. */
export function readLastUsed(): LastUsed {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return schema.parse({})
  }
}

/** Remembers what an expense was entered with. */
export function rememberLastUsed({ currency, tags, distance_kind, location, origin, destination }: DraftForm): void {
  const given = [location, origin, destination].map((place) => place.trim()).filter((place) => place !== '')
  const places = [...new Set([...given, ...readLastUsed().places])].slice(0, mostPlaces)
  localStorage.setItem(storageKey, JSON.stringify({ currency, tags, distance_kind, places }))
}

/** What a new draft begins with. */
export function draftDefaults(payer_id: number | null, userCurrency: string): DraftDefaults {
  const { currency, tags, distance_kind } = readLastUsed()
  return { payer_id, currency: currency ?? userCurrency, tags, distance_kind }
}
