import { type Attributes, mergeGroups } from './merge'

/** Attributes that a body names otherwise than a representation shows them. */
const shownAs: Readonly<Record<string, string>> = {
  payer_id: 'payer',
  receiver_id: 'receiver',
  expense_ids: 'expenses',
  restricted_user_ids: 'restricted_users',
}

/** Those attributes of a body that are to be written, and those that no representation shows. */
export function narrowBody(body: unknown, { current, write }: { current: Attributes; write: readonly string[] }): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => {
      const attribute = shownAs[name] ?? name
      return write.includes(attribute) || !(attribute in current)
    }),
  )
}

/** A body with the rest of each merge group of which it names a part, as the person saw it: another's currency is not for their amount. */
export function completeGroups(body: Readonly<Record<string, unknown>>, mine: Attributes): Record<string, unknown> {
  const named = new Set(Object.keys(body).map((name) => shownAs[name] ?? name))
  const touched = mergeGroups.filter((group) => group.some((name) => named.has(name))).flat()
  const missing = touched.filter((name) => !named.has(name) && mine[name] !== undefined)
  return { ...body, ...Object.fromEntries(missing.map((name) => [name, mine[name]])) }
}
