import { type importRoutes, maxImportBytes } from '#shared/contract/imports'
import { DomainError } from '#shared/domain/errors'
import type { ReceivedFile } from '#main/files/blob-store'
import { findReplicaValue } from '#main/store/sync/replica-state'
import type { CompositeContext, ContentLimits, Input, ServerDeps } from '../endpoint'
import type { ApiResponse } from '../refusals'

/** Throws on a replica: it holds only a part of an organization and cannot tell which rows exist. */
export async function assertNoReplica({ store }: Pick<ServerDeps, 'store'>): Promise<void> {
  const remote = await findReplicaValue(store.reader, 'remote')
  if (remote) throw new DomainError({ kind: 'not_possible', code: 'import.on_replica', params: { url: remote.url } })
}

/** What import routes need. */
export type ImportContext = CompositeContext<'imports' | 'store'>

/** The limits of an import. */
export const importLimits: ContentLimits = { most: () => maxImportBytes, tooLarge: 'import.too_large' }

/** Takes a file to import; it is read in the background. A repeated request finds the import that it made. */
export async function takeImport(
  { deps, file, caller, locale, request_id, uid: id }: ImportContext & { readonly file: ReceivedFile },
  { params: { organization_id }, query: { file_name = '' } }: Input<typeof importRoutes.create>,
): Promise<ApiResponse> {
  await assertNoReplica(deps)
  await deps.imports.add({ id, organization_id, file_name, file }, { user_id: caller.user_id, request_id })
  return { status: 201, body: await deps.imports.show({ organization_id, id }, locale), headers: {} }
}
