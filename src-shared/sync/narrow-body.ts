import { type Attributes, mergeGroups } from './merge'

/** Attributes that bodies and representations name differently. */
const shownAs: Readonly<Record<string, string>> = {
  payer_id: 'payer',
  receiver_id: 'receiver',
  expense_ids: 'expenses',
  restricted_user_ids: 'restricted_users',
}

/** The attributes of a body to write, and those that no representation shows. */
export function narrowBody(body: unknown, { current, write }: { current: Attributes; write: readonly string[] }): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => {
      const attribute = shownAs[name] ?? name
      return write.includes(attribute) || !(attribute in current)
    }),
  )
}

/**
 * Completes each merge group of which a body has a part, with the values that the person saw: another person's currency does not fit their amount.
 */
export function completeGroups(body: Readonly<Record<string, unknown>>, mine: Attributes): Record<string, unknown> {
  const named = new Set(Object.keys(body).map((name) => shownAs[name] ?? name))
  const touched = mergeGroups.filter((group) => group.some((name) => named.has(name))).flat()
  const missing = touched.filter((name) => !named.has(name) && mine[name] !== undefined)
  return { ...body, ...Object.fromEntries(missing.map((name) => [name, mine[name]])) }
}
