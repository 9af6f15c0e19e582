import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { expenseRoutes } from '#shared/contract/expenses'
import { DomainError, invalid } from '#shared/domain/errors'
import { decideExpenseEdit, refuseEdit } from '#shared/domain/expense-access'
import { isMovable } from '#shared/domain/expense-status'
import { fromMinor } from '#shared/domain/money'
import { toColumns } from '#shared/records/columns'
import { expense as definition } from '#shared/records/expense'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { listAccountabilityStatusesOf } from '#main/store/records/settlements/accountability-reader'
import { listTagIdsOf } from '#main/store/records/expenses/expense-flags'
import { listTagNamesOf } from '#main/store/records/expenses/expense-reader'
import { updateExpense as storeExpense } from '#main/store/records/expenses/expense-writer'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { findDistanceRule } from '#main/store/records/organizations/distance-rules'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { listMatchesOfExpense } from '#main/store/records/organizations/statement-reader'
import type { Changes } from '#main/store/core/record-writer'
import type { Tx } from '#main/store/core/store'
import { notFound } from '#shared/domain/errors'
import { assertCurrencyInUse, toStoredAmount } from '../access/amounts'
import { getPayer } from '../access/get-payer'
import { getVisibleExpense } from '../access/get-visible-expense'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { takeBackRepeatDecisions } from '../repeats/repeat-decision-record'
import { assertLeft, judgeSharing } from '../statements/statement-match-record'
import { learnSupplier } from '../suppliers/learn-supplier'
import { isSameTags, resolveChangedTags } from '../tags/resolve-tags'
import { changesDecided, decisionDetails, isRuledTag, takeBackDecision } from './decided-expense'
import { assertCard, assertReceiver } from './expense-parties'
import { priceDistance } from './price-distance'

/** Attributes to change; absent ones stay. */
export type UpdateExpense = z.output<typeof expenseRoutes.update.body>

type Expense = Row<'expenses'>

/** Changes an expense (supplement 2, "Who edits"). Changing what was decided withdraws the decision (supplement 3). Throws {@link DomainError}. */
export async function updateExpense(tx: Tx, id: number, input: UpdateExpense): Promise<Expense> {
  const { expense, relation } = await getVisibleExpense(tx, { id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, expense.payer_id)
  const decision = decideExpenseEdit(expense, relation)
  if (decision.kind === 'forbidden') throw refuseEdit(expense, relation)
  await assertFresh(tx, expense)
  if (decision.kind === 'not_possible') throw new DomainError({ kind: 'not_possible', code: 'liquidated_expense' })
  const changes = await toChanges(tx, expense, input)
  const organization = await findOrganization(tx, changes.payer_id ?? expense.payer_id)
  if (!organization) throw notFound()
  const tagsBefore = (await listTagNamesOf(tx, [id])).get(id) ?? []
  // Tags belong to an organization: with another payer the same names are other tags.
  const { tags: given = tagsBefore } = input
  const isMoved = changes.payer_id !== expense.payer_id
  const isRetagged = isMoved ? given.length > 0 || tagsBefore.length > 0 : !isSameTags(given, tagsBefore)
  const tags = isRetagged ? await resolveChangedTags(tx, organization, { given, kept: isMoved ? [] : tagsBefore }) : undefined
  const isOther = changesDecided(expense, { ...expense, ...changes })
  const isTakenBack = isOther || isMoved || (tags !== undefined && (await isRuled(tx, expense, tags)))
  if (isOther || isMoved) await takeBackRepeatDecisions(tx, id)
  const next = { ...expense, ...changes }
  if (next.amount_minor > expense.amount_minor || next.currency !== expense.currency) await assertLeft(tx, next)
  const stored = await storeExpense(tx, expense, {
    changes: { ...changes, ...(isTakenBack && (await takeBackDecision(tx, expense))) },
    tags,
  })
  if (isOther) await judgeSharing(tx, id)
  const details = [...decisionDetails(expense, stored), ...writtenDetails(definition.attributes, expense, stored)]
  if (tags) details.push({ attribute: 'tags', from: tagsBefore.join(', '), to: tags.map(({ name }) => name).join(', ') })
  if (details.length === 0) return stored
  await recordActivity(tx, {
    organization_id: stored.payer_id,
    subject: { type: 'Expense', id },
    event: stored.status === expense.status ? 'expense_updated' : 'expense_status_changed',
    details,
  })
  if (details.some(({ attribute }) => taught.has(attribute))) await learnSupplier(tx, stored, tags)
  return (await findExpense(tx, id)) ?? stored
}

/** The attributes about a supplier. */
const taught: ReadonlySet<string> = new Set(['supplier_name', 'supplier_tax_id', 'currency', 'tags'])

/** Whether tags of a rule were added or removed. */
async function isRuled(tx: Tx, { id, payer_id }: Expense, tags: ReadonlyArray<Row<'tags'>>): Promise<boolean> {
  const before = new Set(await listTagIdsOf(tx, id))
  const after = new Set(tags.map((tag) => tag.id))
  return isRuledTag(tx, payer_id, [...before.symmetricDifference(after)])
}

async function toChanges(tx: Tx, expense: Expense, input: UpdateExpense): Promise<Changes<'expenses'>> {
  const { payer: payer_id = expense.payer_id, receiver: receiver_id = expense.receiver_id } = input
  const isMoved = payer_id !== expense.payer_id
  if (isMoved) await assertMovable(tx, expense, payer_id)
  if (isMoved || receiver_id !== expense.receiver_id) await assertReceiver(tx, { payer_id, receiver_id })
  const { corporative_card_id: card_id = expense.corporative_card_id } = input
  if (isMoved || card_id !== expense.corporative_card_id) await assertCard(tx, { payer_id, receiver_id, card_id })
  const changes = { ...toColumns(definition.attributes, input), payer_id, receiver_id }
  return { ...changes, ...(isMoved && newElsewhere(tx)), ...(await priceAnew(tx, expense, { ...input, payer_id })) }
}

/**
 * Throws for another payer if the caller may not name them, the expense is in review or decided (supplement 3), or its accountability or statement
 * line has a payer (supplement 2).
 */
async function assertMovable(tx: Tx, { id, status }: Expense, payer_id: number): Promise<void> {
  await getPayer(tx, payer_id, 'expenses.create')
  if (!isMovable(status)) throw invalid('payer', 'decided')
  if ((await listAccountabilityStatusesOf(tx, id)).length > 0 || (await listMatchesOfExpense(tx, id)).length > 0)
    throw invalid('payer', 'in_use')
}

/** In another organization an expense counts as new, recorded by the person who moved it: without a responsible user or an import there. */
function newElsewhere({ actor }: Tx) {
  return { author_id: actor.user_id, responsible_user_id: null, external_id: null }
}

/** The new amount. A distance is repriced only if it, its unit or its payer changed, or if another rule applies on its new day. */
async function priceAnew(tx: Tx, expense: Expense, input: UpdateExpense & { payer_id: number }) {
  const { kind, distance, distance_kind, occurred_at, payer_id } = {
    ...expense,
    ...toColumns(definition.attributes, input),
    payer_id: input.payer_id,
  }
  const next = { kind, distance, distance_kind, occurred_at, payer_id }
  const money = kind === 'distance' ? await priceIfMoved(tx, expense, next) : readAmount(expense, input)
  if (money) assertCurrencyInUse(money.currency, { kept: expense.currency })
  return money
}

const priced = ['kind', 'distance', 'distance_kind', 'payer_id'] as const

async function priceIfMoved(tx: Tx, expense: Expense, next: Pick<Expense, (typeof priced)[number] | 'occurred_at'>) {
  const isSame = priced.every((name) => next[name] === expense[name]) && (await isOfOneRule(tx, expense, next))
  return isSame ? undefined : priceDistance(tx, next.payer_id, next)
}

/** Whether one rule applies on both days: a new rate for the same days does not reprice existing expenses. */
async function isOfOneRule(tx: Tx, { payer_id, occurred_at }: Expense, next: Pick<Expense, 'occurred_at'>): Promise<boolean> {
  if (occurred_at === next.occurred_at) return true
  const [before, after] = [occurred_at, next.occurred_at].map((day) => findDistanceRule(tx, payer_id, day))
  return (await before)?.id === (await after)?.id
}

function readAmount(expense: Expense, { amount, currency = expense.currency }: UpdateExpense) {
  if (amount === undefined && currency === expense.currency) return undefined
  return { currency, ...toStoredAmount(amount ?? fromMinor(expense.amount_minor, expense.currency), { currency, attribute: 'amount' }) }
}
