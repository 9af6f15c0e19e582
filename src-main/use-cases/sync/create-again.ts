import type { Operation } from '#shared/contract/sync'
import { attachmentRoutes } from '#shared/contract/attachments'
import { commentRoutes } from '#shared/contract/comments'
import type { OfferKind } from '#shared/contract/instance/replica'
import type { Route } from '#shared/contract/route'
import { namedRecords, replaceAt } from '#shared/sync/references'
import { type LocalData, type TaggedRecord, readLocalData } from '#main/store/sync/local-data'
import { listShownOperations, nextOperation } from '#main/store/sync/sync-journal'
import { insertOffer } from '#main/store/sync/sync-offers'
import { findUid } from '#main/store/sync/sync-operations'
import { mintIdentity } from '#main/store/sync/id-leases'
import type { MintedTable, Tx } from '#main/store/core/store'
import { appendOperation } from './append-operation'
import { creatingRoutes } from './creating-routes'
import { type NewOffer, toOffers } from './offer-local-data'

/** The ids of records, by table. */
export type RecordIds = ReadonlyMap<string, ReadonlySet<number>>

const tableOf = {
  tag: 'tags',
  pre_expense: 'pre_expenses',
  expense: 'expenses',
  advancement: 'advancements',
  devolution: 'advancement_devolutions',
  accountability: 'accountabilities',
  reimbursement: 'reimbursements',
  corporative_card: 'corporative_cards',
  distance_rule: 'distance_rules',
  webhook: 'webhooks',
} as const satisfies Record<OfferKind, string>

interface Identified {
  readonly id: number
  readonly uid: string
}

interface Creation {
  readonly table: MintedTable
  readonly record: Identified
  readonly route: Route
  readonly params?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly blobs?: Operation['blobs']
}

/** The identities of created records: their own, or new ones if the remote knows the old ones as deleted. */
type Identities = 'same' | 'other'

interface Creator {
  readonly op_id: string
  /** The uid of the created record. */
  readonly uid: string
}

/**
 * Journals the creation of local records that the remote no longer has, with their receipts and the acting user's comments, except those that a
 * pending operation creates. Records that a replica cannot create, such as payments, become offers with the reason.
 */
export async function createAgain(tx: Tx, going: RecordIds, identities: Identities): Promise<void> {
  const local = await readLocalData(tx)
  const creators = new Map<string, Creator>()
  for (const { op_id, minted } of await listShownOperations(tx)) for (const { uid } of minted) creators.set(uid, { op_id, uid })
  const append = (creation: Creation) => appendCreation(tx, creation, { creators, identities })
  const isWanted = (table: string, { id, uid }: Identified) => going.get(table)?.has(id) === true && !creators.has(uid)
  const rows = new Map(listRows(local).map((row) => [row.uid, row]))
  for (const offer of toOffers(local, { user_id: tx.actor.user_id })) {
    const [table, row] = [tableOf[offer.kind], rows.get(String(offer.uid))]
    if (!row || !isWanted(table, row)) continue
    const creation = toCreation(offer, { row, rows })
    if (creation) await append({ ...creation, table, record: row })
    else await insertOffer(tx, { kind: offer.kind, title: offer.title, payload: JSON.stringify(withoutTitle(offer)) })
  }
  for (const creation of listParts(local, tx.actor.user_id)) {
    const { table, record, of } = creation
    const isOfOne = going.get(of.table)?.has(of.id) === true && !creators.has(record.uid)
    if (isOfOne || isWanted(table, record)) await append(creation)
  }
}

type Row = ReturnType<typeof listRows>[number]

function listRows(local: LocalData) {
  const { tags, pre_expenses, expenses, advancements, devolutions, accountabilities } = local
  const { reimbursements, corporative_cards, distance_rules, webhooks } = local
  const created = [...tags, ...pre_expenses, ...expenses, ...advancements, ...devolutions, ...accountabilities]
  return [...created, ...reimbursements, ...corporative_cards, ...distance_rules, ...webhooks]
}

function withoutTitle({ kind: _kind, title: _title, ...record }: NewOffer) {
  return record
}

/** How to create a record as it is here; undefined if it cannot be created. Another user's record is created as theirs. */
function toCreation(
  { kind, body, stays, expenses = [] }: NewOffer,
  { row, rows }: { row: Row; rows: ReadonlyMap<string, Row> },
): Pick<Creation, 'route' | 'params' | 'body'> | undefined {
  const creating = creatingRoutes[kind]
  const isPossible = (stays ?? null) === null || (stays === 'person' && creating?.parties.includes('receiver'))
  if (!creating || !isPossible) return undefined
  const parties = {
    ...('payer_id' in row && { payer: { id: row.payer_id, type: 'Organization' } }),
    ...('receiver_id' in row && { receiver: { id: row.receiver_id, type: 'User' } }),
  }
  return {
    route: creating.route,
    ...('organization_id' in row && { params: { organization_id: String(row.organization_id) } }),
    body: {
      ...body,
      ...Object.fromEntries(Object.entries(parties).filter(([party]) => creating.parties.some((one) => one === party))),
      ...('corporative_card_id' in row && row.corporative_card_id !== null && { corporative_card_id: row.corporative_card_id }),
      ...(kind === 'accountability' && { expense_ids: expenses.flatMap((uid) => rows.get(uid)?.id ?? []) }),
    },
  }
}

type Part = Creation & { readonly of: { readonly table: string; readonly id: number } }

/** The receipts of expenses, and the user's comments. */
function listParts(local: LocalData, user_id: number): Part[] {
  const receipts = local.expenses.flatMap(({ id }) =>
    local.attachmentsOf(id).map(({ sha256, file_name, description, ...record }): Part => {
      const body = { file: encodeURIComponent(file_name), ...(description !== null && { description }) }
      const blobs = [{ at: 'body.file', sha256, file_name }]
      const params = { expense_id: String(id) }
      return { table: 'attachments', record, route: attachmentRoutes.create, params, body, blobs, of: { table: 'expenses', id } }
    }),
  )
  const commented = [
    ...local.expenses.map(({ id }): TaggedRecord => ({ kind: 'expense', id })),
    ...local.advancements.map(({ id }): TaggedRecord => ({ kind: 'advancement', id })),
  ]
  const comments = commented.flatMap((of) =>
    local.commentsOf(of).flatMap(({ content, ...record }): Part[] => {
      const params = { [`${of.kind}_id`]: String(of.id) }
      const part = { record, route: commentRoutes[of.kind].create, params, body: { content } }
      return record.user_id === user_id ? [{ ...part, table: 'comments', of: { table: tableOf[of.kind], id: of.id } }] : []
    }),
  )
  return [...receipts, ...comments]
}

async function appendCreation(
  tx: Tx,
  { table, record, route, params = {}, body, blobs = [] }: Creation,
  { creators, identities }: { creators: Map<string, Creator>; identities: Identities },
): Promise<void> {
  const named = namedRecords({ route, params, body })
  const refs: Operation['refs'] = []
  const depends_on = new Set<string>()
  for (const { at, table: to, id } of named) {
    const uid = await findUid(tx, to, id)
    const creator = uid === undefined ? undefined : creators.get(uid)
    if (creator) depends_on.add(creator.op_id)
    if (uid !== undefined) refs.push({ at, table: to, uid: creator?.uid ?? uid })
  }
  const { id = null, uid } = identities === 'same' ? record : await mintIdentity(tx, table)
  const op_id = tx.clock.uid()
  const text = replaceAt(
    { path: route.path, body },
    named.map(({ at, id: value }) => ({ at, value })),
  )
  await appendOperation(tx, {
    id: await nextOperation(tx),
    op_id,
    policy: 'add',
    method: 'POST',
    group_id: null,
    ...text,
    refs,
    blobs,
    minted: [{ table, id, uid }],
    seen: [],
    after_ops: [],
    depends_on: [...depends_on],
    base: {},
    mine: {},
  })
  creators.set(record.uid, { op_id, uid })
}
