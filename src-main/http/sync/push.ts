import { syncRoutes } from '#shared/contract/sync'
import type { Tx } from '#main/store/core/store'
import { type AnyCompositeContext, type Endpoint, composite } from '../endpoint'
import { runSliced } from '../run-sliced'
import { carryOutGroup, groupOperations } from './carry-out-together'

/** `POST /sync/push`: operations are independent; several share a transaction, as each one costs a disk write. */
export const pushEndpoint: Endpoint = composite(
  syncRoutes.push,
  async ({ deps, command }: AnyCompositeContext, { body: { operations } }) => {
    const parts = { deps, command }
    const steps = groupOperations(parts, operations).map((group) => (tx: Tx) => carryOutGroup(parts, tx, group))
    const results = await runSliced(deps, command, { steps })
    return { status: 200, body: { results: results.flat() }, headers: {} }
  },
)
