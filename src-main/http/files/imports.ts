import { type importRoutes, maxImportBytes } from '#shared/contract/imports'
import {
  type StatementReport,
  maxStatementBytes,
  statementMapping,
  type statementRoutes,
} from '#shared/contract/organization-records/statements'
import { DomainError, invalid } from '#shared/domain/errors'
import type { StatementMapping } from '#shared/domain/statements/mapping'
import type { ReceivedFile } from '#main/files/blob-store'
import { findUser } from '#main/store/records/users/user-reader'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { actorOf } from '../command'
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

/** What statement routes need. */
export type StatementContext = CompositeContext<'statements' | 'store'>

/** The limits of a statement. */
export const statementLimits: ContentLimits = { most: () => maxStatementBytes, tooLarge: 'import.too_large' }

/** Takes a statement: previews its new lines, or adds them. */
export async function takeStatement(
  { deps, caller, command, locale, file }: StatementContext & { readonly file: ReceivedFile },
  { params: { organization_id }, query }: Input<typeof statementRoutes.create>,
  isDryRun: boolean,
): Promise<StatementReport> {
  await getVisibleOrganization(deps.store.reader, { id: organization_id, user_id: caller.user_id, action: 'statement_lines.write' })
  await assertNoReplica(deps)
  const holder = await findUser(deps.store.reader, caller.user_id)
  return deps.statements.import(actorOf(command), {
    path: file.path,
    organization_id,
    card_id: query.corporative_card_id,
    locale,
    isDryRun,
    mapping: readMapping(query.mapping),
    account: query.account,
    difference: query.difference,
    add_unsure: query.add_unsure,
    currency: query.currency ?? holder?.default_currency ?? 'BRL',
  })
}

function readMapping(text: string | undefined): StatementMapping | undefined {
  if (text === undefined) return undefined
  try {
    return statementMapping.parse(JSON.parse(text))
  } catch {
    throw invalid('mapping', 'invalid')
  }
}
