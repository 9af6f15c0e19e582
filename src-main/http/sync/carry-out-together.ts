import { type Operation, type OperationResult } from '#shared/contract/sync'
import { findPolicy } from '#shared/sync/policies'
import { getAudience } from '#main/store/sync/audience'
import { findOperation, findOperationOf, storeOperations } from '#main/store/sync/sync-operations'
import type { Tx } from '#main/store/core/store'
import type { Asked, Command } from '../command'
import { runTogether } from '../pipeline'
import { type CarryOut, carryOut, commandOf, findMaking, hashOperation, nothing, place } from './carry-out'
import { findPassingFault } from '../refusals'

/** Rows per statement: on a table with many indexes, beginning a statement costs as much as a row. */
const mostTogether = 20

/** Groups consecutive operations that can be stored together; others stay alone. */
export function groupOperations(parts: CarryOut, operations: readonly Operation[]): Operation[][] {
  const groups: Operation[][] = []
  let last: Asked['route'] | undefined
  for (const operation of operations) {
    const route = routeTogether(parts, operation)
    const group = groups.at(-1)
    if (group && route && route === last && group.length < mostTogether) group.push(operation)
    else groups.push([operation])
    last = route
  }
  return groups
}

/** The route of an operation that only adds a record and can be stored together with others. */
function routeTogether({ deps: { api } }: CarryOut, { method, path, body }: Operation): Asked['route'] | undefined {
  const match = api.router.read({ method, path, body })
  if (match.kind !== 'found' || findPolicy(match.asked.route.name) !== 'add') return undefined
  const endpoint = api.endpointOf(match.asked.route)
  return endpoint.kind === 'mutation' && endpoint.together ? endpoint.route : undefined
}

/** An operation of a group cannot be stored together with the others. */
class Apart extends Error {}

/** Applies a group of operations: together if possible, otherwise one by one. */
export async function carryOutGroup(parts: CarryOut, tx: Tx, operations: readonly Operation[]): Promise<OperationResult[]> {
  if (operations.length > 1)
    try {
      return await tx.savepoint((inner) => storeTogether(parts, inner, operations))
    } catch (error) {
      // The error will occur again with the operation that causes it.
      if (findPassingFault(error)) throw error
    }
  const results: OperationResult[] = []
  for (const operation of operations) results.push(await carryOut(parts, tx, operation))
  return results
}

async function storeTogether(parts: CarryOut, tx: Tx, operations: readonly Operation[]): Promise<OperationResult[]> {
  const audience = await getAudience(tx, tx.actor.user_id)
  const commands: Command[] = []
  for (const operation of operations) {
    const placed = await place(parts, tx, { operation, audience })
    if (placed.kind === 'blocked' || (await findOperation(tx, operation.op_id))) throw new Apart()
    if ((await findMaking(tx, operation, audience)) !== undefined) throw new Apart()
    const match = parts.deps.api.router.read({ method: operation.method, path: placed.path, body: placed.body })
    if (match.kind !== 'found') throw new Apart()
    commands.push(await commandOf(parts.command, tx, { operation, asked: match.asked }))
  }
  await runTogether(parts.deps, commands, tx)
  // Each must be exactly one change, in order: an operation with more, such as a new tag, would not be contiguous in the log.
  const first = (await tx.lastChange()) - operations.length + 1
  const earlier = await findOperationOf(tx, first - 1)
  if (operations.some(({ op_id }) => op_id === earlier)) throw new Apart()
  const results = operations.map(({ op_id }, index): OperationResult => ({
    ...nothing,
    op_id,
    kind: 'applied',
    status: commands[index]?.route.status ?? 200,
    is_duplicate: false,
    seq: first + index,
  }))
  const stored = operations.map((operation, index) => ({
    op_id: operation.op_id,
    user_id: tx.actor.user_id,
    body_hash: hashOperation(parts.deps, operation),
    result: JSON.stringify(results[index]),
  }))
  await storeOperations(tx, stored)
  return results
}
