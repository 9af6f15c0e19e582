import { forbidden } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import type { Row } from '#db/schema'

/** Throws `forbidden` if a member asks for sums of someone else's expenses without the right to record expenses for others. */
export function assertMaySum({ role, user_id }: Pick<Row<'memberships'>, 'role' | 'user_id'>, claimant_id: number): void {
  if (claimant_id !== user_id && !may('expenses.create_for_others', { role })) throw forbidden()
}
