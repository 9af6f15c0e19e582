import { repeatDecisionRoutes, repeatRoutes } from '#shared/contract/organization-records/repeats'
import { may } from '#shared/domain/permissions'
import { repeatDecision } from '#shared/records/repeat-decision'
import {
  type AskedExpense,
  type FoundRepeat,
  findRepeats,
  listRepeatDecisions,
  listSeenExpenses,
} from '#main/store/records/expenses/repeat-reader'
import { listCaptures } from '#main/store/records/files/captures'
import { listReadFiles } from '#main/store/records/files/reading-reader'
import { getAudience } from '#main/store/sync/audience'
import { toStoredAmount } from '#main/use-cases/access/amounts'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { repeatDecisionRecord } from '#main/use-cases/repeats/repeat-decision-record'
import { type Context, type Endpoint, query } from '../endpoint'
import { hashesOfUploads, type TakingDep } from '../files/bucket-uploads'
import { toExpenses } from '../representations/expenses'
import { toRecordsWithParties } from '../representations/records'
import { organizationRecordEndpoints } from './organization-records'

/** The most that are shown for one expense. */
const mostShown = 20

/** Expenses that the caller may not see are only counted. */
async function showFound(context: Context, found: readonly FoundRepeat[]) {
  const shown = found.slice(0, mostShown)
  const audience = await getAudience(context.reader, context.caller.user_id)
  const ids = shown.map(({ id }) => id)
  const rows = await listSeenExpenses(context.reader, { ids, audience })
  const expenses = new Map((await toExpenses(context, rows)).map((expense) => [expense.id, expense]))
  const repeats = shown.flatMap(({ id, evidence, score }) => {
    const expense = expenses.get(id)
    return expense ? [{ expense, evidence: [...evidence], score }] : []
  })
  return { repeats, hidden_count: shown.length - repeats.length }
}

/** Repeats, and decisions about them (extension of the contract). */
export const repeatEndpoints: Endpoint[] = [
  query(repeatRoutes.ofExpense, async (context, { params: { expense_id: id } }) => {
    const { reader, caller } = context
    const { expense, relation } = await getVisibleExpense(reader, { id, user_id: caller.user_id })
    const repeats = [...(await findRepeats(reader, expense, 'earlier')), ...(await findRepeats(reader, expense, 'later'))]
    const decisions = may('repeat_decisions.list', { role: relation.role }) ? await listRepeatDecisions(reader, id) : []
    return {
      body: {
        ...(await showFound(
          context,
          repeats.toSorted((a, b) => b.score - a.score || a.id - b.id),
        )),
        decisions: await toRecordsWithParties(context, repeatDecision, decisions),
      },
    }
  }),
  query(repeatRoutes.preview, async (context: Context<TakingDep>, { params: { organization_id: payer_id }, query: asked }) => {
    const { reader, caller } = context
    await getVisibleOrganization(reader, { id: payer_id, user_id: caller.user_id, action: 'expenses.create' })
    const receiver_id = asked.receiver_id ?? caller.user_id
    const repeats = await findRepeats(reader, { ...(await toAsked(context, asked)), payer_id, receiver_id }, 'earlier')
    return { body: await showFound(context, repeats) }
  }),
  ...organizationRecordEndpoints({
    routes: repeatDecisionRoutes,
    record: repeatDecisionRecord,
    show: (context, _role, rows) => toRecordsWithParties(context, repeatDecision, rows),
  }),
]

/** Values that no expense has. */
const noAmount = { amount_minor: 0, currency: '', occurred_at: '1970-01-01T00:00:00Z' }

type Preview = Parameters<typeof toAskedColumns>[0] & {
  readonly files?: readonly string[]
  readonly invoice_keys?: readonly string[]
  readonly capture_ids?: readonly number[]
}

async function toAsked(context: Context<TakingDep>, { files = [], invoice_keys = [], capture_ids = [], ...asked }: Preview) {
  const { reader, caller } = context
  const captures = (await listCaptures(reader, capture_ids)).filter(({ user_id }) => user_id === caller.user_id)
  const uploads = await hashesOfUploads(context.deps, context, files)
  const hashes = [...files.map((file) => uploads.get(file) ?? file), ...captures.flatMap(({ sha256 }) => sha256 ?? [])]
  const known = new Map((await listReadFiles(reader, hashes)).map((file) => [file.sha256, file]))
  const receipts = [
    ...hashes.map((sha256) => known.get(sha256) ?? { sha256, invoice_key: null, picture: null }),
    ...invoice_keys.map((invoice_key) => ({ sha256: '', invoice_key, picture: null })),
  ]
  return { ...toAskedColumns(asked), receipts }
}

function toAskedColumns({
  amount,
  currency,
  occurred_at,
  kind = 'monetary',
  description = '',
  supplier_name = '',
  supplier_tax_id = '',
  except_id,
}: {
  readonly amount?: number | string
  readonly currency?: string
  readonly occurred_at?: string
  readonly kind?: 'monetary' | 'distance'
  readonly description?: string
  readonly supplier_name?: string
  readonly supplier_tax_id?: string
  readonly except_id?: number
}): Omit<AskedExpense, 'payer_id' | 'receiver_id'> {
  const isWhole = amount !== undefined && currency !== undefined && occurred_at !== undefined
  const money = isWhole ? { ...toStoredAmount(amount, { currency, attribute: 'amount' }), currency, occurred_at } : noAmount
  return {
    ...money,
    kind,
    id: except_id,
    description: description || null,
    supplier_name: supplier_name || null,
    supplier_tax_id: supplier_tax_id || null,
  }
}
