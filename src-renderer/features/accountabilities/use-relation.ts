import type { Accountability } from '#shared/contract/accountabilities'
import type { AccountabilityRelation } from '#shared/domain/accountability-status'
import { useSession } from '../../api/session'

/** What the user is to an accountability. */
export function useRelationTo(): (accountability: Accountability) => AccountabilityRelation {
  const { data: session } = useSession()
  return ({ payer, receiver, responsible_user }) => ({
    role: session?.memberships.find(({ organization }) => organization.id === payer.id)?.role,
    is_receiver: session?.user.id === receiver.id,
    is_holder: session?.user.id === responsible_user.id,
  })
}
