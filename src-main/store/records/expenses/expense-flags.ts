import { z } from 'zod'
import type { Row } from '#db/schema'
import { isUndecided } from '#shared/domain/expense-status'
import {
  type Flag,
  type JudgedExpense,
  type Policy,
  alteredFlag,
  flagLevel,
  judge,
  lineFlag,
  repeatFlag,
  weightiestFirst,
} from '#shared/domain/policies'
import { flagConditions, isOfInvoices, policyPeriods, policyWeights } from '#shared/domain/policies/terms'
import { compareWithLines } from '#shared/domain/statements/split'
import { type ReadReceipt, findOtherTotal } from '#shared/readings/other-total'
import { countAlteredOf, listInvoicesOf } from '../files/reading-reader'
import { listReadingsOf, toReadReceipt } from '../files/receipt-readings'
import { type PolicySource, listPolicies } from '../organizations/policy-reader'
import { listSharedLines } from '../organizations/statement-reader'
import { listStatement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { readOtherSums } from './policy-sums'

const listTagIds = listStatement<number, { expense_id: number; tag_id: number }>(
  (db, ids) =>
    db
      .selectFrom('expense_tags')
      .innerJoin('tags', 'tags.id', 'expense_tags.tag_id')
      .select(['expense_tags.expense_id', 'expense_tags.tag_id'])
      .where('expense_tags.expense_id', 'in', ids)
      .where('tags.deleted_at', 'is', null),
  { keptBy: 'expense_id' },
)

/** The columns of an expense with its findings. */
export type FlagColumns = Pick<Row<'expenses'>, 'flags' | 'flag_level'>

/** The columns of an expense that policies check. */
export type JudgedColumns = Omit<JudgedExpense, 'tag_ids' | 'others' | 'invoices'> & Pick<Row<'expenses'>, 'id' | 'payer_id' | 'status'>

const none: FlagColumns = { flags: null, flag_level: null }

/**
 * Judges an expense as it will be by the policies of its organization, and looks for repeats. `tag_ids`: its tags. `repeats`: the number of expenses
 * it may repeat. `policiesOf`: reads policies, if the caller has read them already. `was`: its status before. The change that decides an expense is
 * the last one to judge it; afterwards it keeps its findings.
 */
export async function judgeExpense(
  reader: Reader,
  expense: JudgedColumns,
  {
    tag_ids,
    repeats,
    was = expense.status,
    policiesOf = (organization_id) => listPolicies(reader, organization_id),
  }: {
    tag_ids: () => Promise<readonly number[]> | readonly number[]
    repeats: number
    was?: Row<'expenses'>['status']
    policiesOf?: PolicySource
  },
): Promise<FlagColumns | undefined> {
  if (!isUndecided(was) && !isUndecided(expense.status)) return undefined
  const policies = await policiesOf(expense.payer_id)
  const judged = policies.length === 0 ? [] : await judgeByPolicies(reader, { policies, expense, tag_ids: await tag_ids() })
  const receipts = findOtherTotal(expense, await readTotals(reader, expense))
  const altered = expense.attachments_count === 0 ? 0 : await countAlteredOf(reader, expense.id)
  const flags = weightiestFirst([
    ...judged,
    ...(altered === 0 ? [] : [alteredFlag(altered)]),
    ...(repeats === 0 ? [] : [repeatFlag(repeats)]),
    ...(receipts ? [receipts] : []),
    ...(await findAboveLines(reader, expense)),
  ])
  return flags.length === 0 ? none : { flags: JSON.stringify(flags), flag_level: flagLevel(flags) }
}

/** Whether more is claimed of an expense's card lines than they come to. Only a line fills the day of payment. */
async function findAboveLines(reader: Reader, expense: JudgedColumns): Promise<Flag[]> {
  if (expense.paid_on === null) return []
  const { lines, others } = await listSharedLines(reader, expense.id)
  const [charge] = lines.filter(({ amount_minor }) => amount_minor > 0)
  if (!charge) return []
  const compared = compareWithLines(expense.currency, { lines, expenses: [expense, ...others] })
  if (!compared) return [lineFlag({ charged: null, claimed: null, currency: charge.currency })]
  return compared.claimed > compared.charged ? [lineFlag({ ...compared, currency: expense.currency })] : []
}

/** The totals on an expense's receipts; none for a distance, which has no amount to compare. */
async function readTotals(reader: Reader, { id, attachments_count, kind }: JudgedColumns): Promise<ReadReceipt[]> {
  return attachments_count === 0 || kind === 'distance' ? [] : (await listReadingsOf(reader, id)).map(toReadReceipt)
}

async function judgeByPolicies(
  reader: Reader,
  { policies, expense, tag_ids }: { policies: readonly Policy[]; expense: JudgedColumns; tag_ids: readonly number[] },
): Promise<Flag[]> {
  const asksInvoices = policies.some(({ versions }) => versions.some(({ condition }) => isOfInvoices(condition)))
  const invoices = asksInvoices && expense.attachments_count > 0 ? await listInvoicesOf(reader, expense.id) : []
  const tagged = { ...expense, tag_ids, invoices }
  return judge(policies, { ...tagged, others: await readOtherSums(reader, policies, tagged) })
}

/** The tags of an expense. */
export async function listTagIdsOf(reader: Reader, id: number): Promise<number[]> {
  return (await reader.allOf(listTagIds, [id])).map(({ tag_id }) => tag_id)
}

const measured = z.number().nullable()
const stored: z.ZodType<Flag[]> = z.array(
  z.object({
    policy_id: z.int().nullable(),
    version: z.int().nullable(),
    weight: z.enum(policyWeights),
    condition: z.enum(flagConditions),
    is_checked: z.boolean(),
    value: measured,
    limit: measured,
    currency: z.string().nullable(),
    // For findings stored before this field existed.
    is_explained: z.boolean().default(false),
    unit: z.enum(['km', 'mi']).nullable().default(null),
    period: z.enum(policyPeriods).nullable().default(null),
  }),
)

/** How many other expenses an expense may repeat, from its stored findings. */
export function knownRepeats(columns: Pick<FlagColumns, 'flags'>): number {
  return flagsOf(columns).find(({ condition }) => condition === 'repeat')?.value ?? 0
}

/** The stored findings of an expense, most severe first. */
export function flagsOf({ flags }: Pick<FlagColumns, 'flags'>): Flag[] {
  return flags === null ? [] : stored.parse(JSON.parse(flags))
}
