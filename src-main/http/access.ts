import { type FollowableKind, followablePaths, followableKinds } from '#shared/contract/followables'
import { DomainError, forbidden, notFound } from '#shared/domain/errors'
import { decideExpenseEdit, refuseEdit } from '#shared/domain/expense-access'
import { type Action, type Relation, isOpen, may } from '#shared/domain/permissions'
import { canChangeMember } from '#shared/domain/roles'
import type { OrganizationRecordTable } from '#shared/records/index'
import { findOwnApiToken } from '#main/store/records/users/api-token-reader'
import { findCapture } from '#main/store/records/files/captures'
import { findDevice } from '#main/store/records/users/devices'
import { findOwnPasskey } from '#main/store/records/users/passkeys'
import { hasSession } from '#main/store/records/users/sessions'
import { findInvitation } from '#main/store/records/organizations/invitations'
import { findJoinNotice } from '#main/store/records/organizations/join-notices'
import { findRole } from '#main/store/records/organizations/membership-reader'
import type { Reader } from '#main/store/core/store'
import { findDelivery } from '#main/store/records/organizations/webhooks'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { getVisibleSettlement } from '#main/use-cases/access/get-visible-settlement'
import { getCommentedRecord, getVisibleFollowable } from '#main/use-cases/access/followables'
import { assertSeen, getWritableOrganization } from '#main/use-cases/access/preconditions'
import { getVisibleAccountability } from '#main/use-cases/accountabilities/accountabilities'
import { getVisibleAttachment } from '#main/use-cases/attachments/attachments'
import { getComment } from '#main/use-cases/comments/comments'
import { getVisibleCard } from '#main/use-cases/corporative-cards/corporative-cards'
import type { ExportDesk } from '#main/use-cases/exports/export-desk'
import { getHandover } from '#main/use-cases/handovers/get-handover'
import type { ImportDesk } from '#main/use-cases/imports/import-desk'
import { getMember } from '#main/use-cases/memberships/memberships'
import { getOrganizationRecord, isAuthor } from '#main/use-cases/organization-records/organization-records'
import { getVisiblePreExpense } from '#main/use-cases/pre-expenses/pre-expenses'
import { organizationRecordTables } from '#main/store/records/organizations/organization-records'
import { assertManagesWebhooks, getWebhook } from '#main/use-cases/webhooks/webhooks'
import type { Command } from './command'
import type { ServerDeps } from './endpoint'
import { hasParam, namedOrganization, numberAt } from './named-in-requests'
import { mayChangeRemote } from './replica/remote'
import { assertOwn } from './scopes'

/** The record of a request, as far as the caller may see it. */
interface Subject {
  readonly organization_id?: number
  readonly relation: Relation
  /** The record that `If-Match` is compared with. */
  readonly record?: { readonly id: number; readonly uid: string; readonly version: number }
  /** Why the record's state or owner forbids what the role would allow. */
  readonly refusal?: DomainError | undefined
}

interface Asked extends Command {
  readonly reader: Reader
  readonly imports: Pick<ImportDesk, 'has'>
  readonly exports: Pick<ExportDesk, 'has' | 'findHandover'>
  readonly user_id: number
  readonly action: Action
  readonly at: (name: string) => number
}

/** Finds the subject of a request. Throws `not_found` and `gone`. */
type Find = (asked: Asked) => Promise<Subject>

/** Writes that are allowed in an expired organization (supplement 1). */
const allowedWhenExpired: ReadonlySet<Action> = new Set(['organizations.leave'])

const finders: ReadonlyArray<readonly [pattern: RegExp, find: Find]> = [
  [/^\/expenses\/:\w+\/attachments\/:/, findAttachment],
  ...followableKinds.flatMap((kind) => findersUnder(kind)),
  [/^\/accountability\/:/, findAccountability],
  [/^\/corporative_cards\/:/, findCard],
  [/^\/pre_expenses\/:/, findPreExpense],
  [/^\/organizations\/:\w+\/integrations\/webhooks/, findWebhook],
  ...organizationRecordTables.map((table) => [new RegExp(`^/organizations/:\\w+/${table}/:`), findOrganizationRecord(table)] as const),
  [/^\/organizations\/:\w+\/members\/:/, findMember],
  [/^\/organizations\/:\w+\/invitations\/:/, findManagedInvitation],
  [/^\/organizations\/:\w+\/imports\/:/, findImport],
  [/^\/organizations\/:\w+\/handovers\/:/, findHandover],
  [/^\/organizations?\/:/, findOrganization],
  [/^\/reimbursements\/new$/, findQueriedPayer],
  [/^\/captures\/:/, own((reader, key) => findCapture(reader, key))],
  [/^\/exports\/:/, findExport],
  [/^\/user\/tokens\/:/, own((reader, key) => findOwnApiToken(reader, key))],
  [/^\/user\/passkeys\/:/, own((reader, key) => findOwnPasskey(reader, key))],
  [/^\/user\/sessions\/:/, findBrowserSession],
  [/^\/devices\/:/, own(findOwnDevice)],
  [/^\/join_notices\/:/, own((reader, key) => findJoinNotice(reader, key))],
  [/^\/replica(\/guard)?$/, findSeat],
]

/**
 * Checks access in the contract's order: 404, 402, 403, 412 (supplement 3, "Order of refusals"). Handlers check the same as they load records; this
 * runs before an unreadable body or query is rejected, so that its 400, 413, 415 or 422 reveals nothing. Throws {@link DomainError}.
 */
export async function assertAccess(
  { imports, exports }: Pick<ServerDeps, 'imports' | 'exports'>,
  reader: Reader,
  command: Command,
): Promise<void> {
  const { route, params, sender } = command
  if (isOpen(route.action)) return
  const { user_id } = sender.caller
  const asked: Asked = { ...command, reader, imports, exports, user_id, action: route.action, at: (name) => numberAt(params, name) }
  const find = finders.find(([pattern]) => pattern.test(route.path))?.[1]
  if (find) await assertMay(asked, await find(asked))
  // Each offer that an organization cannot take gets its own error.
  const isNaming = route.method === 'POST' && route.action !== 'replica.use'
  const named = isNaming ? namedOrganization(command.body) : undefined
  const action = route.name === 'pre_expenses.convert' ? 'expenses.create' : route.action
  if (named !== undefined && (!find || action !== route.action)) await assertMayIn({ ...asked, action, if_match: undefined }, named)
}

async function assertMay(asked: Asked, subject: Subject): Promise<void> {
  const { reader, route, action, if_match } = asked
  const { organization_id, relation, record, refusal } = subject
  const isWrite = route.method !== 'GET' && !allowedWhenExpired.has(action)
  if (isWrite && organization_id !== undefined) await getWritableOrganization(reader, organization_id)
  // A caller who can find the record may read it.
  if (refusal || (!action.endsWith('.read') && !may(action, relation))) throw refusal ?? forbidden()
  if (isWrite) assertOwn(asked, relation)
  if (record && isWrite) await assertSeen(reader, { if_match: if_match ?? null, user_id: asked.user_id }, record)
}

/** An organization in a body that the caller may not see is an invalid value (422), which the body's checks report. */
async function assertMayIn(asked: Asked, organization_id: number): Promise<void> {
  const role = await findRole(asked.reader, { organization_id, user_id: asked.user_id })
  if (role !== undefined) await assertMay(asked, { organization_id, relation: { role } })
}

function findersUnder(kind: FollowableKind): Array<readonly [RegExp, Find]> {
  const path = followablePaths[kind]
  const followableOf = ({ at }: Asked) => at(`${kind}_id`)
  const comments: Find = async (asked) => {
    const { followable, role } = await getCommentedRecord(asked.reader, kind, { id: followableOf(asked), user_id: asked.user_id })
    return { organization_id: followable.organization_id, relation: { role } }
  }
  const comment: Find = async (asked) => {
    const { reader, user_id, at } = asked
    const found = await getComment(reader, { kind, followable_id: followableOf(asked), id: at('id') }, user_id)
    const { followable, role, comment: record } = found
    return { organization_id: followable.organization_id, relation: { role, is_author: record.user_id === user_id }, record }
  }
  const under: Find = async (asked) => {
    const { followable, role } = await getVisibleFollowable(asked.reader, kind, { id: followableOf(asked), user_id: asked.user_id })
    return { organization_id: followable.organization_id, relation: { role } }
  }
  return [
    [new RegExp(`^${path}/:\\w+/comments/:`), comment],
    [new RegExp(`^${path}/:\\w+/comments$`), comments],
    [new RegExp(`^${path}/:\\w+/(participants|mentionables|activities)$`), under],
    [new RegExp(`^${path}/:(${kind}_)?id`), kind === 'expense' ? findExpense : findSettlement(kind)],
  ]
}

async function findExpense({ reader, user_id, action, params, at }: Asked): Promise<Subject> {
  const isCollection = hasParam(params, 'expense_id')
  const { expense, relation } = await getVisibleExpense(reader, { id: at(isCollection ? 'expense_id' : 'id'), user_id })
  return {
    organization_id: expense.payer_id,
    relation,
    refusal: refusalOf(action, expense, relation),
    ...(!isCollection && { record: expense }),
  }
}

async function findAttachment({ reader, user_id, action, at }: Asked): Promise<Subject> {
  const key = { expense_id: at('expense_id'), id: at('id'), user_id }
  const { expense, relation, attachment: record } = await getVisibleAttachment(reader, key)
  return { organization_id: expense.payer_id, relation, refusal: refusalOf(action, expense, relation), record }
}

function refusalOf(action: Asked['action'], ...[expense, relation]: Parameters<typeof refuseEdit>): DomainError | undefined {
  const isRefused = action === 'expenses.write' && decideExpenseEdit(expense, relation).kind === 'forbidden'
  return isRefused ? refuseEdit(expense, relation) : undefined
}

function findSettlement(kind: 'advancement' | 'reimbursement'): Find {
  return async ({ reader, user_id, at }) => {
    const { settlement: record, relation } = await getVisibleSettlement(reader, kind, { id: at('id'), user_id })
    return { organization_id: record.payer_id, relation, record }
  }
}

async function findAccountability({ reader, user_id, at }: Asked): Promise<Subject> {
  const { accountability: record, relation } = await getVisibleAccountability(reader, { id: at('id'), user_id })
  return { organization_id: record.payer_id, relation, record }
}

async function findCard({ reader, user_id, at }: Asked): Promise<Subject> {
  const { card: record, relation } = await getVisibleCard(reader, { id: at('id'), user_id })
  return { organization_id: record.organization_id, relation, record }
}

async function findPreExpense({ reader, user_id, at }: Asked): Promise<Subject> {
  const record = await getVisiblePreExpense(reader, { id: at('id'), user_id })
  return { relation: { role: undefined, is_receiver: true }, record }
}

async function findOrganization({ reader, user_id, params, at }: Asked): Promise<Subject> {
  const id = at(hasParam(params, 'organization_id') ? 'organization_id' : 'id')
  const { organization, membership } = await getVisibleOrganization(reader, { id, user_id })
  const record = hasParam(params, 'organization_id') ? undefined : organization
  return { organization_id: id, relation: { role: membership.role }, ...(record && { record }) }
}

function findOrganizationRecord(table: OrganizationRecordTable): Find {
  return async (asked) => {
    const organization = await findOrganization(asked)
    const { reader, user_id, at } = asked
    const record = await getOrganizationRecord(reader, table, { organization_id: at('organization_id'), id: at('id'), user_id })
    return { ...organization, relation: { ...organization.relation, is_author: isAuthor(record, user_id) }, record }
  }
}

async function findMember(asked: Asked): Promise<Subject> {
  const organization = await findOrganization(asked)
  const { role: own } = organization.relation
  const key = { organization_id: asked.at('organization_id'), user_id: asked.at('user_id') }
  const record = await getMember(asked.reader, key)
  const isChange = asked.action === 'members.update' || asked.action === 'members.remove'
  return {
    ...organization,
    record,
    refusal: isChange && (own === undefined || !canChangeMember(own, record.role)) ? forbidden() : undefined,
  }
}

/** Callers who may not invite do not learn whether an invitation exists: 403 comes before 404. */
async function findManagedInvitation(asked: Asked): Promise<Subject> {
  const organization = await findOrganization(asked)
  await assertMay(asked, organization)
  const { role: own } = organization.relation
  const record = await findInvitation(asked.reader, { organization_id: asked.at('organization_id'), id: asked.at('id') })
  if (!record) throw notFound()
  return { ...organization, record, refusal: own === undefined || !canChangeMember(own, record.role) ? forbidden() : undefined }
}

/** 403 comes before 404, so that imports stay unknown to other callers. */
async function findImport(asked: Asked): Promise<Subject> {
  const organization = await findOrganization(asked)
  await assertMay(asked, organization)
  const id = hasParam(asked.params, 'id') ? String(asked.params.id) : ''
  if (!(await asked.imports.has({ organization_id: asked.at('organization_id'), id }))) throw notFound()
  return organization
}

/** 403 comes before 404, so that handovers stay unknown to other callers. */
async function findHandover(asked: Asked): Promise<Subject> {
  const organization = await findOrganization(asked)
  await assertMay(asked, organization)
  const id = hasParam(asked.params, 'id') ? String(asked.params.id) : ''
  await getHandover(asked, { organization_id: asked.at('organization_id'), id, user_id: asked.user_id })
  return organization
}

/** An export belongs to the caller who requested it. */
async function findExport({ exports, params, user_id }: Asked): Promise<Subject> {
  const id = hasParam(params, 'id') ? String(params.id) : ''
  if (!(await exports.has({ id, user_id }))) throw notFound()
  return { relation: { role: undefined } }
}

/** 403 comes before 404: only those who manage webhooks see them. */
async function findWebhook({ reader, route, user_id, params, at }: Asked): Promise<Subject> {
  const organization_id = at('organization_id')
  await assertManagesWebhooks(reader, { organization_id, user_id }, route.method === 'GET' ? 'read' : 'write')
  const relation = { role: await findRole(reader, { organization_id, user_id }) }
  const name = ['webhook_id', 'id'].find((one) => hasParam(params, one))
  if (name === undefined) return { organization_id, relation }
  const record = await getWebhook(reader, { id: at(name), organization_id })
  if (name === 'id') return { organization_id, relation, record }
  if (hasParam(params, 'id') && !(await findDelivery(reader, { id: at('id'), webhook_id: record.id })))
    throw new DomainError({ kind: 'not_found', resource: 'webhook' })
  return { organization_id, relation }
}

/** Finds records that belong to the caller alone. */
function own(find: (reader: Reader, key: { id: number; user_id: number }) => Promise<unknown>): Find {
  return async ({ reader, user_id, at }) => {
    if ((await find(reader, { id: at('id'), user_id })) === undefined) throw notFound()
    return { relation: { role: undefined } }
  }
}

async function findBrowserSession({ reader, user_id, params }: Asked): Promise<Subject> {
  const id = hasParam(params, 'id') ? String(params.id) : ''
  if (!(await hasSession(reader, { id, user_id }))) throw notFound()
  return { relation: { role: undefined } }
}

async function findOwnDevice(reader: Reader, { id, user_id }: { id: number; user_id: number }) {
  const device = await findDevice(reader, id)
  return device?.user_id === user_id ? device : undefined
}

async function findSeat({ reader, route, sender: { caller } }: Asked): Promise<Subject> {
  const isRefused = route.method !== 'GET' && !(await mayChangeRemote(reader, caller))
  return { relation: { role: undefined }, refusal: isRefused ? forbidden() : undefined }
}

async function findQueriedPayer({ reader, user_id, query }: Asked): Promise<Subject> {
  const id = numberAt(query, 'payer_id')
  if (Number.isNaN(id)) return { relation: { role: 'admin' } }
  const { membership } = await getVisibleOrganization(reader, { id, user_id })
  return { organization_id: id, relation: { role: membership.role } }
}
