import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { advancementRoutes } from '#shared/contract/advancements'
import { forbidden, invalid, notFound } from '#shared/domain/errors'
import { fromMinor } from '#shared/domain/money'
import { type Action, may } from '#shared/domain/permissions'
import { toColumns } from '#shared/records/columns'
import type { Changes } from '#main/store/core/record-writer'
import type { Reader, Tx } from '#main/store/core/store'
import { type ActivityDetail, writtenDetails } from '#main/store/records/conversations/activity-details'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import {
  type Settlement,
  type SettlementKind,
  findSettlement,
  listSettlementTagNames,
  raiseVersion,
  settlementRecords,
  updateSettlement,
} from '#main/store/records/settlements/settlements'
import { findUser } from '#main/store/records/users/user-reader'
import { assertCurrencyInUse, toStoredAmount } from '../access/amounts'
import { assertMayPay } from '../access/duties'
import { toSubject } from '../access/followables'
import { getVisibleSettlement } from '../access/get-visible-settlement'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { isSameTags, resolveChangedTags } from '../tags/resolve-tags'

/** Throws for a receiver without a relation to the payer (contract 4.1, 4.2, 4.3). */
export async function assertRelated(reader: Reader, { payer_id, receiver_id }: { payer_id: number; receiver_id: number }): Promise<void> {
  if (!(await findRole(reader, { organization_id: payer_id, user_id: receiver_id }))) throw invalid('receiver', 'not_a_member')
}

/** An amount for storage, in the given currency or the receiver's default one. */
export async function readMoney(
  tx: Tx,
  { amount, currency: given, receiver }: { amount: number | string; currency: string | undefined; receiver: number },
): Promise<{ currency: string; amount_minor: number; amount_scaled: number }> {
  const currency = given ?? (await findUser(tx, receiver))?.default_currency
  if (currency === undefined) throw invalid('currency', 'blank')
  return { currency, ...toStoredAmount(amount, { currency, attribute: 'amount' }) }
}

/** Attributes to change on a reimbursement or advancement; absent ones stay. */
export type ChangeSettlement = z.output<typeof advancementRoutes.update.body>

/** A change of a reimbursement or an advancement. */
interface SettlementChange {
  readonly settlement: Settlement
  readonly input: ChangeSettlement
  readonly expense_ids?: readonly number[]
  readonly details?: ActivityDetail[]
}

/** A reimbursement or advancement with which the acting user may do this. Throws {@link DomainError}: 404, 402, 403, 412. */
export async function getWritableSettlement(
  tx: Tx,
  kind: SettlementKind,
  { id, action }: { id: number; action: Action },
): Promise<Settlement> {
  const { settlement, relation } = await getVisibleSettlement(tx, kind, { id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, settlement.payer_id)
  if (!may(action, relation)) throw forbidden()
  await assertFresh(tx, settlement)
  return settlement
}

/**
 * Changes a writable reimbursement or advancement and records it in the audit trail; its payer never changes (supplement 3). Writes nothing if
 * nothing differs. `expense_ids`: the expenses it pays; `details`: its other changes. Throws `invalid`.
 */
export async function changeSettlement(
  tx: Tx,
  kind: SettlementKind,
  { settlement, input, expense_ids = [], details: others = [] }: SettlementChange,
): Promise<Settlement> {
  const { id } = settlement
  const changes = await toChanges(tx, kind, { settlement, input, expense_ids })
  const { tags, names } = await retag(tx, kind, { settlement, given: input.tags })
  let stored = await updateSettlement(tx, kind, { row: settlement, changes, tags })
  const details = [...writtenDetails(settlementRecords[kind].attributes, settlement, stored), ...names, ...others]
  if (details.length === 0) return stored
  if (stored.version === settlement.version) stored = await raiseVersion(tx, kind, settlement)
  await recordActivity(tx, { organization_id: stored.payer_id, subject: toSubject({ kind, id }), event: `${kind}_updated`, details })
  return (await findSettlement(tx, kind, id)) ?? stored
}

async function toChanges(
  tx: Tx,
  kind: SettlementKind,
  { settlement, input, expense_ids }: Pick<SettlementChange, 'settlement' | 'input'> & { expense_ids: readonly number[] },
) {
  const { payer_id } = settlement
  const { payer = payer_id, receiver: receiver_id = settlement.receiver_id } = input
  if (payer !== payer_id) throw invalid('payer', 'fixed')
  if (receiver_id !== settlement.receiver_id) await assertRelated(tx, { payer_id, receiver_id })
  const { amount = fromMinor(settlement.amount_minor, settlement.currency), currency = settlement.currency } = input
  assertCurrencyInUse(currency, { kept: settlement.currency })
  const money = await readMoney(tx, { amount, currency, receiver: receiver_id })
  const isPaidOtherwise =
    receiver_id !== settlement.receiver_id || money.amount_minor !== settlement.amount_minor || currency !== settlement.currency
  if (isPaidOtherwise) await assertMayPay(tx, { payer_id, receiver_id, expense_ids })
  const changes = toColumns(settlementRecords[kind].attributes, input)
  return { ...changes, receiver_id, ...money } satisfies Changes<'advancements'>
}

async function retag(tx: Tx, kind: SettlementKind, { settlement, given }: { settlement: Settlement; given: ChangeSettlement['tags'] }) {
  const before = (await listSettlementTagNames(tx, kind, [settlement.id])).get(settlement.id) ?? []
  if (given === undefined || isSameTags(given, before)) return { tags: undefined, names: [] }
  const organization = await findOrganization(tx, settlement.payer_id)
  if (!organization) throw notFound()
  const tags = await resolveChangedTags(tx, organization, { given, kept: before })
  return { tags, names: tagDetails(before, tags) }
}

function tagDetails(before: readonly string[], tags: ReadonlyArray<Row<'tags'>>): ActivityDetail[] {
  const [from, to] = [before.join(', '), tags.map(({ name }) => name).join(', ')]
  return from === to ? [] : [{ attribute: 'tags', from, to }]
}

/** The audit trail's details of an amount. */
export function amountDetails({ amount_minor, currency }: Pick<Settlement, 'amount_minor' | 'currency'>): ActivityDetail[] {
  return [
    { attribute: 'amount', from: null, to: fromMinor(amount_minor, currency) },
    { attribute: 'currency', from: null, to: currency },
  ]
}
