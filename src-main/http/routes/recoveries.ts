import { recoveryRoutes } from '#shared/contract/instance/recoveries'
import { forbidden, notFound } from '#shared/domain/errors'
import { isInCharge } from '#main/store/records/organizations/member-directory'
import type { Reader } from '#main/store/core/store'
import type { Caller } from '../command'
import { type CompositeContext, type Context, type Endpoint, composite, query } from '../endpoint'

/** Whether someone may know of damage: the person at the machine, and admins of all its organizations, as missing records may be anyone's. */
export async function mayKnowDamage(reader: Reader, { way, user_id }: Caller): Promise<boolean> {
  return way === 'local' || isInCharge(reader, user_id)
}

/** Damage found and quarantined at startup. */
export const recoveryEndpoints: Endpoint[] = [
  query(recoveryRoutes.list, async ({ deps, reader, caller }: Context<'recoveries' | 'findDamage'>) => ({
    body: (await mayKnowDamage(reader, caller))
      ? { recoveries: await deps.recoveries.list(), damage: deps.findDamage() }
      : { recoveries: [], damage: null },
  })),
  composite(recoveryRoutes.acknowledge, async ({ deps, reader, caller }: CompositeContext<'recoveries'>, { params }) => {
    if (!(await mayKnowDamage(reader, caller))) throw forbidden()
    if (!(await deps.recoveries.acknowledge(params.id))) throw notFound()
    return { status: 204, body: null, headers: {} }
  }),
]
