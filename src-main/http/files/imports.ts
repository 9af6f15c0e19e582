import { type Import, type importRoutes, maxImportBytes } from '#shared/contract/imports'
import { DomainError } from '#shared/domain/errors'
import { FileTooLarge, type ReceivedFile } from '#main/files/blob-store'
import { findReplicaValue } from '#main/store/sync/replica-state'
import type { Command } from '../command'
import type { CompositeContext, Input, ServerDeps } from '../endpoint'

/** A replica has a part of an organization only: it cannot tell which rows are known. */
export async function assertNoReplica({ store }: Pick<ServerDeps, 'store'>): Promise<void> {
  const remote = await findReplicaValue(store.reader, 'remote')
  if (remote) throw new DomainError({ kind: 'not_possible', code: 'import.on_replica', params: { url: remote.url } })
}

/** What routes of imports need. */
export type ImportContext = CompositeContext<'imports' | 'blobs' | 'store'>

/** Takes a file to import: its bytes go to the disk as they come, and are read once they are all there. */
export async function takeImport(
  { deps, command, caller, locale, request_id }: ImportContext,
  { params: { organization_id }, query: { file_name = '' } }: Input<typeof importRoutes.create>,
): Promise<Import> {
  const file = await receive(deps, command, organization_id)
  try {
    const id = await deps.imports.add({ organization_id, file_name, file }, { user_id: caller.user_id, request_id })
    return await deps.imports.show({ organization_id, id }, locale)
  } finally {
    await file.discard()
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** What is refused is read to its end all the same, so that its sender can hear why; what is known to be refused is answered at once. */
async function receive(deps: ImportContext['deps'], { content }: Command, organization_id: number): Promise<ReceivedFile> {
  const params = { megabytes: Math.floor(maxImportBytes / 1024 / 1024) }
  const tooLarge = new DomainError({ kind: 'not_possible', code: 'import.too_large', params })
  try {
    await assertNoReplica(deps)
    await deps.imports.assertRoom(organization_id)
    if (content && content.bytes > maxImportBytes) throw tooLarge
    return await deps.blobs.receive(content?.stream.iterator({ destroyOnReturn: false }) ?? noBytes(), { maxBytes: maxImportBytes })
  } catch (error) {
    throw error instanceof FileTooLarge ? tooLarge : error
  } finally {
    content?.stream.resume()
  }
}
