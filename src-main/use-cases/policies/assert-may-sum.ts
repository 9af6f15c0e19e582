import { forbidden } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import type { Row } from '#db/schema'

/** Refuses to tell a member what someone else's expenses come to, unless they may record expenses for others. Throws `forbidden`. */
export function assertMaySum({ role, user_id }: Pick<Row<'memberships'>, 'role' | 'user_id'>, claimant_id: number): void {
  if (claimant_id !== user_id && !may('expenses.create_for_others', { role })) throw forbidden()
}
