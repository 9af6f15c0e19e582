import { z } from 'zod'
import { type StatementReport, statementMapping } from '#shared/contract/organization-records/statements'
import { type Refusal, DomainError } from '#shared/domain/errors'
import { type Language, languages } from '#shared/domain/locales'
import type { StatementMapping } from '#shared/domain/statements/mapping'
import type { Store } from '#main/store/core/store'
import { importStatement } from './import-statement'

/** A statement that a thread imports, or looks through. */
export const statementTask = z.object({
  kind: z.literal('statement'),
  data_folder: z.string(),
  database_url: z.string().optional(),
  actor: z.object({
    ...{ user_id: z.int(), origin: z.string(), request_id: z.string().nullable(), if_match: z.string().nullable() },
    op_id: z.string().optional(),
  }),
  asked: z.object({
    ...{ path: z.string(), organization_id: z.int(), card_id: z.int(), currency: z.string(), isDryRun: z.boolean() },
    locale: z.custom<Language>((text) => languages.some((one) => one === text)),
    mapping: z.custom<StatementMapping>((value) => statementMapping.safeParse(value).success).optional(),
  }),
})
export type StatementTask = z.infer<typeof statementTask>

/** What became of it. */
export type StatementOutcome =
  { readonly kind: 'done'; readonly report: StatementReport } | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Imports a statement in the thread; what is refused is an outcome. */
export async function runStatementTask(
  store: Pick<Store, 'reader' | 'transact'>,
  { actor, asked }: StatementTask,
): Promise<StatementOutcome> {
  try {
    return { kind: 'done', report: await importStatement(store, actor, asked) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { kind: 'refused', refusal: error.refusal }
  }
}
