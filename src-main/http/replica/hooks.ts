import type { Route } from '#shared/contract/route'
import { DomainError } from '#shared/domain/errors'
import { findPolicy, isBetterReadAtRemote, isReadAtRemote } from '#shared/sync/policies'
import { namedRecords, replaceNamed } from '#shared/sync/references'
import { translate } from '#shared/i18n/translations'
import { findAlias } from '#main/store/sync/id-aliases'
import { findReplicaValue, isReplica } from '#main/store/sync/replica-state'
import type { Tx } from '#main/store/core/store'
import type { Command } from '../command'
import type { Result, OperationDeps, ServerDeps, AnyWriteContext } from '../endpoint'
import { type ApiResponse, messageResponse } from '../refusals'
import { writeRequest } from '../requests'
import { runJournalled } from './journal'

/** On a replica: the command with records' current ids in place of earlier ones. */
export async function localize({ store: { reader } }: OperationDeps, command: Command): Promise<Command> {
  if (!(await isReplica(reader))) return command
  const values: Array<{ at: string; value: number }> = []
  for (const { at, table, id } of namedRecords(command)) {
    const value = await findAlias(reader, table, id)
    if (value !== undefined) values.push({ at, value })
  }
  return values.length === 0 ? command : { ...command, ...replaceNamed(command, values) }
}

/** Whether only the remote can do a write. */
export async function isForwarded({ store }: Pick<OperationDeps, 'store'>, { route }: Command): Promise<boolean> {
  return findPolicy(route.name) === 'forward' && isReplica(store.reader)
}

/** On a replica: the remote's response to what only it can do; undefined if it is done here. */
export async function forward({ store, replica }: ServerDeps, command: Command): Promise<ApiResponse | undefined> {
  const { name, method } = command.route
  const isElsewhere = method === 'GET' ? isReadAtRemote(name) : findPolicy(name) === 'forward'
  const isServing = name.startsWith('sync.')
  const isBetterElsewhere = method === 'GET' && isBetterReadAtRemote(name)
  if (!isElsewhere && !isServing && !isBetterElsewhere) return undefined
  const known = await findReplicaValue(store.reader, 'remote')
  if (!known || (isBetterElsewhere && !known.is_compatible_only)) return undefined
  const { caller, locale } = command.sender
  const say = (status: number, key: string) => messageResponse(status, translate(locale, `errors:${key}`))
  // A replica of this replica would get data that its remote does not know yet.
  if (isServing) return say(409, 'is_replica')
  if (known.user_id !== caller.user_id) return say(403, 'forbidden')
  const response = await replica.send({ ...writeRequest(command), query: command.query, language: locale, key: command.key })
  // The remote may not know the record yet, or be unreachable.
  if (isBetterElsewhere) return response?.status === 200 ? response : undefined
  return response ?? say(503, 'remote_unreachable')
}

/** Runs a write; on a replica, also journals it for the remote. Throws {@link DomainError} if only the remote can do it. */
export async function journal(context: AnyWriteContext, run: (tx: Tx) => Promise<Result<Route>>): Promise<Result<Route>> {
  const { tx, command } = context
  const policy = findPolicy(command.route.name)
  if (policy === undefined || policy === 'local' || !(await isReplica(tx))) return run(tx)
  if (policy === 'forward') throw new DomainError({ kind: 'not_possible', code: 'needs_remote' })
  return runJournalled(context, policy, run)
}
