import { syncRoutes } from '#shared/contract/sync'
import type { Tx } from '#main/store/core/store'
import { type AnyCompositeContext, type Endpoint, composite } from '../endpoint'
import { runSliced } from '../run-sliced'
import { carryOut } from './carry-out'

/** `POST /sync/push`: each operation is independent; several share a transaction, since each costs a write to the disk. */
export const pushEndpoint: Endpoint = composite(syncRoutes.push, async ({ deps, command }: AnyCompositeContext, { body: { operations } }) => {
  const steps = operations.map((operation) => (tx: Tx) => carryOut({ deps, command }, tx, operation))
  return { status: 200, body: { results: await runSliced(deps, command, { steps }) }, headers: {} }
})
