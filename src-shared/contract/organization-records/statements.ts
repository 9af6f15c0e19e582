import { z } from 'zod'
import { lineKinds } from '#shared/domain/statements/lines'
import { matchEvidence } from '#shared/domain/statements/compare'
import { leftOutReasons, mappedColumns, statementFormats } from '#shared/domain/statements/mapping'
import { statementLine } from '#shared/records/statement-line'
import { statementMatch } from '#shared/records/statement-match'
import { perName } from '../attributes'
import { expenseRepresentation } from '../expenses'
import { currency, optionalId } from '../fields'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import { instantText } from '../representations'
import { nothing, organizationParams, pathId } from '../requests'
import { type ListOptions, route } from '../route'

/** A line of a card's statement (extension of the contract). */
export const statementLineRepresentation = z.object(recordShape(statementLine)).meta({ id: 'StatementLine' })
export type StatementLineRepresentation = z.infer<typeof statementLineRepresentation>

/** A match of an expense with a statement line (extension of the contract). */
export const statementMatchRepresentation = z.object(recordShape(statementMatch)).meta({ id: 'StatementMatch' })

const lineListOptions = { order: 'created_at', attributes: listedBy(statementLine.attributes) } as const satisfies ListOptions
const matchListOptions = { order: 'created_at', attributes: listedBy(statementMatch.attributes) } as const satisfies ListOptions

/** The endpoints of lines. */
export const statementLineRoutes = organizationRecordRoutes({
  table: statementLine.table,
  one: "a line of a card's statement",
  many: "lines of cards' statements",
  attributes: writableOf(statementLine.attributes),
  representation: statementLineRepresentation,
  list: lineListOptions,
  actions: {
    list: 'statement_lines.list',
    show: 'statement_lines.list',
    write: 'statement_lines.write',
    destroy: 'statement_lines.destroy',
  },
})

/** The endpoints of matches. */
export const statementMatchRoutes = organizationRecordRoutes({
  table: statementMatch.table,
  one: 'that an expense belongs to a line',
  many: 'expenses that belong to lines',
  attributes: writableOf(statementMatch.attributes),
  representation: statementMatchRepresentation,
  list: matchListOptions,
  actions: { list: 'statement_matches.list', show: 'statement_matches.list', write: 'statement_matches.write' },
})

/** The largest statement, in bytes. */
export const maxStatementBytes = 64 * 1024 * 1024
/** The most lines of a statement that are shown, and problems that are listed individually. */
export const maxShownLines = 20
export const maxListedProblems = 200
const longestPositions = 5000

const columnName = z.string('invalid').min(1, 'blank').max(500, 'too_long:500')
/** How to read a delimited statement; absent values are recognised, or taken from this card's earlier statements. */
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

/** A new or expected line. `is_known`: the card has it already. */
const shownLine = z.object({
  line: z.int(),
  day: z.string(),
  name: z.string(),
  amount: z.number(),
  currency: z.string(),
  line_kind: z.enum(lineKinds),
  is_known: z.boolean(),
})

/** What a file's own sums say of its lines. Balances are what is owed: spending raises them. */
const statementProof = z.object({
  from: z.string(),
  to: z.string(),
  lines: z.int(),
  currency: z.string(),
  /** What was spent, less what came back. */
  sum: z.number(),
  opening: z.number().nullable(),
  closing: z.number().nullable(),
  /** The amount that the lines lack; 0 if they lead from balance to balance, null if the file has too few sums. */
  difference: z.number().nullable(),
  /** The likeliest reason for which lines and sums differ, and the line where it shows. */
  reason: z.string().nullable(),
  line: z.int().nullable(),
})

/** The lines that a statement would add, or added, to a card (extension of the contract). */
export const statementReport = z
  .object({
    format: z.enum(statementFormats),
    encoding: z.string(),
    /** The columns of a delimited file, and how they are read. */
    headers: z.array(z.string()),
    mapping: statementMapping,
    /** What a person must state before it can be read. */
    undecided: z.array(z.object({ column: z.string(), reason: z.string() })),
    rows: z.int(),
    added: z.int(),
    known: z.int(),
    /** The number of unreadable lines, of which the first are listed. */
    refused: z.int(),
    problems: z.array(z.object({ line: z.int(), reason: z.string() })),
    /** Null if the file has no lines. */
    proof: statementProof.nullable(),
    /** Rows that are no lines of the card, of which the first are listed. */
    left_out: z.array(
      z.object({ reason: z.enum(leftOutReasons), count: z.int(), lines: z.array(z.object({ line: z.int(), text: z.string() })) }),
    ),
    /**
     * The accounts that the file names, by their last digits or name. `sum`: of its lines in `currency`, their usual one; null without lines.
     * `corporative_card_id`: the card to which it belongs by earlier files or its last digits, as far as the caller sees cards.
     */
    accounts: z.array(
      z.object({
        account: z.string(),
        lines: z.int(),
        currency: z.string().nullable(),
        sum: z.number().nullable(),
        is_taken: z.boolean(),
        corporative_card_id: z.int().nullable(),
      }),
    ),
    /** Sentences about the file, such as where it differs from the card's earlier ones. */
    notes: z.array(z.string()),
    first_day: z.string().nullable(),
    last_day: z.string().nullable(),
    /** The total of its new lines, in major units by currency. */
    total: z.record(z.string(), z.number()),
    lines: z.array(shownLine),
    /**
     * Lines that a card may have already, of which the first are listed: left out unless `add_unsure` names their `position` among the lines read.
     * `like`: the line that they may be.
     */
    unsure_count: z.int(),
    unsure: z.array(
      shownLine
        .omit({ is_known: true })
        .extend({ position: z.int(), is_added: z.boolean(), like: z.object({ day: z.string(), name: z.string(), amount: z.number() }) }),
    ),
  })
  .meta({ id: 'StatementReport' })
export type StatementReport = z.infer<typeof statementReport>

const proposalClaim = z.object({ kind: z.enum(['expense', 'receipt']), id: z.int() })
/** Lines and expenses that seem to belong together. */
export const statementProposal = z
  .object({
    /** A `refund` brings money back for an expense that has its line. */
    kind: z.enum(['pair', 'split', 'several', 'cancelled', 'refund']),
    line_ids: z.array(z.int()),
    claims: z.array(proposalClaim),
    evidence: z.array(z.enum(matchEvidence)),
    /** The certainty: 1 to 99. */
    score: z.int(),
    is_sure: z.boolean(),
    /** By how much the lines exceed the expenses, in major units; of a refund what is left of the expense. Null if their currencies differ. */
    difference: z.number().nullable(),
  })
  .meta({ id: 'StatementProposal' })
export type StatementProposal = z.infer<typeof statementProposal>

const uploaded = { action: 'statement_lines.write', method: 'POST', params: organizationParams, body: z.string(), status: 200 } as const
const uploadQuery = z.object({
  corporative_card_id: pathId,
  mapping: z.string('invalid').max(5000, 'too_long:5000').optional(),
  /** The currency of lines that state none. */
  currency: currency.optional(),
  /** The account in the file that is the card's, as under `accounts`. */
  account: z.string('invalid').max(100, 'too_long:100').optional(),
  /** The difference of the proof that the caller has seen, or `unknown` where lines and sums differ by none. */
  difference: z
    .string('invalid')
    .regex(/^(-?\d{1,15}(\.\d{1,4})?|unknown)$/, 'invalid')
    .optional(),
  /** The unsure lines to add: `all`, or their positions, separated by commas. */
  add_unsure: z
    .string('invalid')
    .max(longestPositions, `too_long:${longestPositions}`)
    .regex(/^(all|\d+(,\d+)*)$/, 'invalid')
    .optional(),
})

/** The endpoints of whole statements. */
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
      /** Lines without an expense that need one, those in proposals first; latest first. */
      lines: z.array(statementLineRepresentation),
      /** Expenses with a card and without a line, and those in proposals. */
      expenses: z.array(expenseRepresentation),
      /** Receipts in the caller's inbox that may be those of their own lines; `is_sure`: only this receipt, and only this line. */
      receipts: z.array(
        z.object({ statement_line_id: z.int(), capture_ids: z.array(z.int()), file_name: z.string(), is_sure: z.boolean() }),
      ),
      /** Of the lines those whose holders were asked for receipts, and when last. */
      asked: z.array(z.object({ statement_line_id: z.int(), at: instantText })),
      /** The number of each, if not all are listed; for lines and expenses, without those in proposals. */
      proposals_count: z.int(),
      lines_count: z.int(),
      expenses_count: z.int(),
      /**
       * Imports that have not added all of their lines, because they run or were interrupted: `added` of their new `lines` are stored, the last at
       * `at`.
       */
      unfinished: z.array(
        z.object({
          corporative_card_id: z.int(),
          at: z.string(),
          added: z.int(),
          lines: z.int(),
          first_day: z.string(),
          last_day: z.string(),
        }),
      ),
    }),
    status: 200,
  }),
  ask: route({
    name: 'statements.ask',
    action: 'statement_lines.ask',
    method: 'POST',
    path: '/organizations/:organization_id/statement_requests',
    summary: 'Ask the holders of lines without an expense for their receipts: one message each, of a line once a day',
    params: organizationParams,
    query: nothing,
    body: z.object({ corporative_card_id: optionalId.optional() }),
    response: z.object({ lines: z.int(), holders: z.int() }),
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
      /** In major units, without payments of the card itself. `returned` is positive. */
      totals: z.array(z.object({ currency: z.string(), spent: z.number(), returned: z.number() })),
      open_lines: z.int(),
    }),
    status: 200,
  }),
}
