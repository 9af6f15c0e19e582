import { z } from 'zod'
import { lineKinds } from '#shared/domain/statements/lines'
import { matchEvidence } from '#shared/domain/statements/compare'
import { mappedColumns, statementFormats } from '#shared/domain/statements/mapping'
import { statementLine } from '#shared/records/statement-line'
import { statementMatch } from '#shared/records/statement-match'
import { perName } from '../attributes'
import { expenseRepresentation } from '../expenses'
import { currency } from '../fields'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import { nothing, organizationParams, pathId } from '../requests'
import { type ListOptions, route } from '../route'

/** A line of a card's statement (extension of the contract). */
export const statementLineRepresentation = z.object(recordShape(statementLine)).meta({ id: 'StatementLine' })
export type StatementLineRepresentation = z.infer<typeof statementLineRepresentation>

/** That an expense belongs to such a line (extension of the contract). */
export const statementMatchRepresentation = z.object(recordShape(statementMatch)).meta({ id: 'StatementMatch' })

const lineListOptions = { order: 'created_at', attributes: listedBy(statementLine.attributes) } as const satisfies ListOptions
const matchListOptions = { order: 'created_at', attributes: listedBy(statementMatch.attributes) } as const satisfies ListOptions

/** The endpoints of lines. */
export const statementLineRoutes = organizationRecordRoutes({
  table: statementLine.table,
  ...{ one: "a line of a card's statement", many: "lines of cards' statements" },
  attributes: writableOf(statementLine.attributes),
  representation: statementLineRepresentation,
  list: lineListOptions,
  actions: {
    ...{ list: 'statement_lines.list', show: 'statement_lines.list', write: 'statement_lines.write' },
    destroy: 'statement_lines.destroy',
  },
})

/** The endpoints of what belongs to lines. */
export const statementMatchRoutes = organizationRecordRoutes({
  table: statementMatch.table,
  ...{ one: 'that an expense belongs to a line', many: 'expenses that belong to lines' },
  attributes: writableOf(statementMatch.attributes),
  representation: statementMatchRepresentation,
  list: matchListOptions,
  actions: { list: 'statement_matches.list', show: 'statement_matches.list', write: 'statement_matches.write' },
})

/** The largest statement, in bytes. */
export const maxStatementBytes = 64 * 1024 * 1024
/** How many lines of a statement are shown, and how many problems are listed one by one. */
export const maxShownLines = 20
export const maxListedProblems = 200

const columnName = z.string('invalid').min(1, 'blank').max(500, 'too_long:500')
/** How a delimited statement is read; what is left out is recognised, or as it was for this card before. */
export const statementMapping = z.strictObject(
  {
    ...perName(
      mappedColumns.filter((name) => name !== 'text'),
      () => columnName.optional(),
    ),
    text: z.array(columnName).max(5, 'too_long:5').optional(),
    date_order: z.enum(['dmy', 'mdy', 'ymd'], 'inclusion').optional(),
    decimal: z.enum([',', '.'], 'inclusion').optional(),
    spent: z.enum(['positive', 'negative'], 'inclusion').optional(),
  },
  'invalid',
)

/** A line as it would be, or was, added. `is_known`: the card has it already. */
const shownLine = z.object({
  line: z.int(),
  day: z.string(),
  name: z.string(),
  amount: z.number(),
  currency: z.string(),
  line_kind: z.enum(lineKinds),
  is_known: z.boolean(),
})

/** What a statement would add, or added, to a card (extension of the contract). */
export const statementReport = z
  .object({
    format: z.enum(statementFormats),
    encoding: z.string(),
    /** The columns of a delimited file, and how they are read. */
    headers: z.array(z.string()),
    mapping: statementMapping,
    /** What has to be said before it can be read. */
    undecided: z.array(z.object({ column: z.string(), reason: z.string() })),
    rows: z.int(),
    added: z.int(),
    known: z.int(),
    /** Lines that cannot be read, the first of them one by one. */
    refused: z.int(),
    problems: z.array(z.object({ line: z.int(), reason: z.string() })),
    first_day: z.string().nullable(),
    last_day: z.string().nullable(),
    /** What its new lines come to, in major units by currency. */
    total: z.record(z.string(), z.number()),
    lines: z.array(shownLine),
  })
  .meta({ id: 'StatementReport' })
export type StatementReport = z.infer<typeof statementReport>

const proposalClaim = z.object({ kind: z.enum(['expense', 'receipt']), id: z.int() })
/** Lines and expenses that belong together, as far as can be seen. */
export const statementProposal = z
  .object({
    kind: z.enum(['pair', 'split', 'several', 'cancelled']),
    line_ids: z.array(z.int()),
    claims: z.array(proposalClaim),
    evidence: z.array(z.enum(matchEvidence)),
    /** How sure it is: 1 to 99. */
    score: z.int(),
    is_sure: z.boolean(),
    /** By how much the lines are more than the expenses, in major units; null where their currencies differ. */
    difference: z.number().nullable(),
  })
  .meta({ id: 'StatementProposal' })
export type StatementProposal = z.infer<typeof statementProposal>

const uploaded = { action: 'statement_lines.write', method: 'POST', params: organizationParams, body: z.string(), status: 200 } as const
const uploadQuery = z.object({
  corporative_card_id: pathId,
  /** The mapping, as JSON. */
  mapping: z.string('invalid').max(5000, 'too_long:5000').optional(),
  /** Of lines that state none. */
  currency: currency.optional(),
})

/** The endpoints of statements as a whole. */
export const statementRoutes = {
  preview: route({
    ...uploaded,
    name: 'statements.preview',
    path: '/organizations/:organization_id/statements/preview',
    summary: 'Show what a statement of a card would add: the body is its bytes; nothing is stored',
    query: uploadQuery,
    response: statementReport,
    media: { request: 'application/octet-stream' },
  }),
  create: route({
    ...uploaded,
    name: 'statements.create',
    path: '/organizations/:organization_id/statements',
    summary: 'Add the new lines of a statement to a card: the body is its bytes; a repeat adds nothing',
    query: uploadQuery,
    response: statementReport,
    media: { request: 'application/octet-stream' },
  }),
  matching: route({
    name: 'statements.matching',
    action: 'statement_lines.list',
    method: 'GET',
    path: '/organizations/:organization_id/statement_matching',
    summary: 'Propose which expenses belong to lines, and list what is left over on both sides',
    params: organizationParams,
    query: z.object({ corporative_card_id: pathId.optional() }),
    body: nothing,
    response: z.object({
      proposals: z.array(statementProposal),
      /** Lines that want an expense and have none, those in proposals first; latest first. */
      lines: z.array(statementLineRepresentation),
      /** Expenses that name a card and belong to no line, and those in proposals. */
      expenses: z.array(expenseRepresentation),
      /** How many there are of each, where not all are listed; of lines and expenses, those that are in no proposal. */
      proposals_count: z.int(),
      lines_count: z.int(),
      expenses_count: z.int(),
      /** Imports that have not added all of their lines, since they run or were cut off: `added` of their new `lines` are there, the last since `at`. */
      unfinished: z.array(
        z.object({
          ...{ corporative_card_id: z.int(), at: z.string(), added: z.int(), lines: z.int() },
          ...{ first_day: z.string(), last_day: z.string() },
        }),
      ),
    }),
    status: 200,
  }),
  cardTotals: route({
    name: 'statements.card_totals',
    action: 'statement_lines.list',
    method: 'GET',
    path: '/organizations/:organization_id/statement_totals',
    summary: 'Show what the lines of a card come to, and how many want an expense',
    params: organizationParams,
    query: z.object({ corporative_card_id: pathId }),
    body: nothing,
    response: z.object({
      /** In major units; payments of the card itself are left out. `returned` is above zero. */
      totals: z.array(z.object({ currency: z.string(), spent: z.number(), returned: z.number() })),
      open_lines: z.int(),
    }),
    status: 200,
  }),
}
