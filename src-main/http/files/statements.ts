import {
  statementMapping,
  maxStatementBytes,
  type StatementReport,
  type statementRoutes,
} from '#shared/contract/organization-records/statements'
import { DomainError, invalid } from '#shared/domain/errors'
import type { StatementMapping } from '#shared/domain/statements/mapping'
import { FileTooLarge, type ReceivedFile } from '#main/files/blob-store'
import { findUser } from '#main/store/records/users/user-reader'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { actorOf } from '../command'
import type { CompositeContext, Input } from '../endpoint'
import { assertNoReplica } from './imports'

/** What routes of statements need. */
export type StatementContext = CompositeContext<'blobs' | 'statements' | 'store'>

/** Takes a statement: its bytes go to the disk as they come and are read there; shows what it would add, or adds it. */
export async function takeStatement(
  context: StatementContext,
  { params: { organization_id }, query }: Input<typeof statementRoutes.create>,
  isDryRun: boolean,
): Promise<StatementReport> {
  const { deps, caller, command, locale } = context
  const file = await receive(context, organization_id)
  try {
    const holder = await findUser(deps.store.reader, caller.user_id)
    return await deps.statements.import(actorOf(command), {
      ...{ path: file.path, organization_id, card_id: query.corporative_card_id, locale, isDryRun },
      mapping: readMapping(query.mapping),
      currency: query.currency ?? holder?.default_currency ?? 'BRL',
    })
  } finally {
    await file.discard()
  }
}

function readMapping(text: string | undefined): StatementMapping | undefined {
  if (text === undefined) return undefined
  try {
    return statementMapping.parse(JSON.parse(text))
  } catch {
    throw invalid('mapping', 'invalid')
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** What is refused is read to its end all the same, so that its sender can hear why. */
async function receive({ deps, caller, command: { content } }: StatementContext, organization_id: number): Promise<ReceivedFile> {
  const params = { megabytes: Math.floor(maxStatementBytes / 1024 / 1024) }
  const tooLarge = new DomainError({ kind: 'not_possible', code: 'import.too_large', params })
  try {
    await getVisibleOrganization(deps.store.reader, {
      id: organization_id,
      user_id: caller.user_id,
      action: 'statement_lines.write',
    })
    await assertNoReplica(deps)
    if (content && content.bytes > maxStatementBytes) throw tooLarge
    return await deps.blobs.receive(content?.stream.iterator({ destroyOnReturn: false }) ?? noBytes(), {
      maxBytes: maxStatementBytes,
    })
  } catch (error) {
    throw error instanceof FileTooLarge ? tooLarge : error
  } finally {
    content?.stream.resume()
  }
}
