import type { Attributes } from './merge'

/** Attributes that a body names otherwise than a representation shows them. */
const shownAs: Readonly<Record<string, string>> = {
  payer_id: 'payer',
  receiver_id: 'receiver',
  expense_ids: 'expenses',
  restricted_user_ids: 'restricted_users',
}

/** Those attributes of a body that are to be written, and those that no representation shows. */
export function narrowBody(
  body: unknown,
  { current, write }: { current: Attributes; write: readonly string[] },
): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => {
      const attribute = shownAs[name] ?? name
      return write.includes(attribute) || !(attribute in current)
    }),
  )
}
