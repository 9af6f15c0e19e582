import {
  statementMapping,
  maxStatementBytes,
  type StatementReport,
  type statementRoutes,
} from '#shared/contract/organization-records/statements'
import { invalid } from '#shared/domain/errors'
import type { StatementMapping } from '#shared/domain/statements/mapping'
import type { ReceivedFile } from '#main/files/blob-store'
import { findUser } from '#main/store/records/users/user-reader'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { actorOf } from '../command'
import type { CompositeContext, ContentLimits, Input } from '../endpoint'
import { assertNoReplica } from './imports'

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
    ...{ path: file.path, organization_id, card_id: query.corporative_card_id, locale, isDryRun },
    ...{ mapping: readMapping(query.mapping), account: query.account, difference: query.difference, add_unsure: query.add_unsure },
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
