import { DomainError } from '#shared/domain/errors'
import { findPolicy, isBetterReadAtRemote, isReadAtRemote } from '#shared/sync/policies'
import { translate } from '#shared/i18n/translations'
import { listAttachmentsOf } from '#main/store/records/files/attachment-reader'
import { findReplicaValue, isReplica } from '#main/store/sync/replica-state'
import type { ReplicaHooks, ServerDeps, Call } from '../endpoint'
import { router } from '../endpoints'
import { localeOf } from '../call'
import { type ApiResponse, messageResponse } from '../refusals'
import { runJournalled } from './journal'
import { relativePath, withoutAliases } from './local-path'

/** The remote as the server of a replica needs it. */
export interface RemotePort {
  /** Sends one v1 request on; undefined when the remote cannot be reached. */
  send(request: {
    method: string
    path: string
    query: unknown
    body: unknown
    language: string
  }): Promise<ApiResponse | undefined>
  fetchBlob(sha256: string): Promise<boolean>
  fetchReceipts(expense_id: number): Promise<void>
}

/** What is different where an instance is a replica; on any other, nothing is. */
export function createReplicaHooks(deps: () => ServerDeps, remote: RemotePort): ReplicaHooks {
  return {
    localize: (call) => localize(deps(), call),
    forward: (call) => forward(deps(), remote, call),
    write: async (call, tx, run) => {
      const policy = findPolicy(call.endpoint.route.name)
      if (policy === undefined || policy === 'local' || !(await isReplica(tx))) return run(tx)
      if (policy === 'forward') throw new DomainError({ kind: 'not_possible', code: 'needs_remote' })
      return runJournalled({ deps: deps(), call, router, policy }, tx, run)
    },
    fetchBlob: (sha256) => remote.fetchBlob(sha256),
    fetchReceipts: async ({ id, attachments_count }) => {
      if (attachments_count === 0) return
      const listed = await listAttachmentsOf(deps().store.reader, [id])
      if (listed.length < attachments_count) await remote.fetchReceipts(id)
    },
  }
}

async function localize({ store }: ServerDeps, call: Call): Promise<Call> {
  if (!(await isReplica(store.reader))) return call
  const path = relativePath(call.path)
  const localized = await withoutAliases(store.reader, { path, body: call.body })
  if (!localized) return call
  const match = router.match(call.endpoint.route.method, localized.path)
  return { ...call, body: localized.body, path: localized.path, params: match.kind === 'found' ? match.params : call.params }
}

async function forward({ store }: ServerDeps, remote: RemotePort, call: Call): Promise<ApiResponse | undefined> {
  const { name, method } = call.endpoint.route
  const isElsewhere = method === 'GET' ? isReadAtRemote(name) : findPolicy(name) === 'forward'
  const isServing = name.startsWith('sync.')
  const isBetterElsewhere = method === 'GET' && isBetterReadAtRemote(name)
  if (!isElsewhere && !isServing && !isBetterElsewhere) return undefined
  const known = await findReplicaValue(store.reader, 'remote')
  if (!known || (isBetterElsewhere && !known.is_compatible_only)) return undefined
  const say = (status: number, key: string) => messageResponse(status, translate(localeOf(call), `errors:${key}`))
  // A replica of a replica would be sent what its remote does not know yet.
  if (isServing) return say(409, 'is_replica')
  if (known.user_id !== call.caller.user_id) return say(403, 'forbidden')
  const { query, body } = call
  const response = await remote.send({ method, path: relativePath(call.path), query, body, language: localeOf(call) })
  // The remote may not know the record yet, or not be there.
  if (isBetterElsewhere) return response?.status === 200 ? response : undefined
  return response ?? say(503, 'remote_unreachable')
}
