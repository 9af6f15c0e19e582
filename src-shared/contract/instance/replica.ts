import { z } from 'zod'
import { flagRepresentation } from '../organization-records/policies'
import { route } from '../route'

const nothing = z.object({})

const difference = z.object({ attribute: z.string(), base: z.unknown(), mine: z.unknown(), theirs: z.unknown() })

/** Why a replica has stopped until a person decides. */
const stop = z.object({
  kind: z.enum(['guard', 'unauthorized', 'wrong_account', 'too_old', 'unreadable']),
  /** A message in English for logs; the interface words it by `kind`. */
  message: z.string(),
  /** For `guard`: the table, the number of deletions and the number of records. */
  table: z.string().nullable(),
  count: z.int(),
  total: z.int(),
})

const state = z.object({
  remote: z.object({ url: z.string(), user_id: z.int(), is_compatible_only: z.boolean() }).nullable(),
  /** `off`: nothing runs automatically. */
  activity: z.enum(['off', 'idle', 'syncing', 'offline', 'stopped']),
  stop: stop.nullable(),
  /** The progress of the first exchange, and of one after the user's scopes changed. */
  progress: z.object({ rows: z.int(), total: z.int(), bytes: z.int() }).nullable(),
  counts: z.object({
    waiting: z.int(),
    waiting_bytes: z.int(),
    conflicts: z.int(),
    failed: z.int(),
    quarantined: z.int(),
    uploads: z.int(),
    downloads: z.int(),
  }),
  oldest_waiting_at: z.string().nullable(),
  last_synced_at: z.string().nullable(),
  /** Whether exchanges run automatically. */
  keeps_in_sync: z.boolean(),
  last_error: z.string().nullable(),
  /** Bytes of receipts to fetch in advance. */
  receipt_budget_bytes: z.int(),
  /** Where the remote's audit trail differs from what this replica had seen, as after a restored backup. */
  trail_forks: z.array(
    z.object({
      organization_id: z.int(),
      noticed_at: z.string(),
      number: z.int(),
      sealed_at: z.string(),
      kind: z.enum(['head', 'entries']),
    }),
  ),
  /** The number of offered records that were made here before there was a remote. */
  offered: z.int(),
  /** Whether the caller may set or remove the remote; present when they request the state. */
  may_change: z.boolean().optional(),
})
export type ReplicaState = z.infer<typeof state>

const operation = z.object({
  op_id: z.string(),
  state: z.enum(['pending', 'sent', 'acknowledged', 'conflict', 'rejected', 'parked', 'quarantined']),
  method: z.string(),
  path: z.string(),
  body: z.unknown(),
  /** A status change or payment: it depends on everything the person saw, and is decided again one at a time. */
  is_conditional: z.boolean(),
  /** Identifies the current state for a decision, which is rejected if the state has changed. Null while the operation is being sent. */
  seen: z.string().nullable(),
  /** Its record, if it is still here. */
  subject: z.object({ table: z.string(), id: z.int(), uid: z.string() }).nullable(),
  base: z.record(z.string(), z.unknown()),
  mine: z.record(z.string(), z.unknown()),
  attempts: z.int(),
  bytes: z.int(),
  created_at: z.string(),
  /** The remote's last response. */
  answer: z
    .object({
      status: z.int(),
      message: z.string().nullable(),
      differences: z.array(difference),
      by: z.string().nullable(),
      at: z.string().nullable(),
      is_own: z.boolean().optional(),
    })
    .nullable(),
})
export type ReplicaOperation = z.infer<typeof operation>

/** Which operations: those on their way, those that wait for a person, or those of records that may no longer be seen. */
const list = z.enum(['waiting', 'conflicts', 'failed', 'quarantined'])
export type ReplicaList = z.infer<typeof list>

/** The kinds of records that can exist before there was a remote. */
export const offerKinds = [
  ...(['tag', 'pre_expense', 'expense', 'advancement', 'devolution', 'accountability'] as const),
  ...(['reimbursement', 'corporative_card', 'distance_rule', 'webhook'] as const),
] as const
export type OfferKind = (typeof offerKinds)[number]

/**
 * Why a record cannot be created at the remote: `payment`, which would be paid twice; someone else received it; a card's number is not stored; it
 * concerns people whom the remote does not know; it is part of an organization's settings.
 */
export const stayReasons = ['payment', 'person', 'number', 'people', 'settings'] as const

const offer = z.object({
  id: z.int(),
  kind: z.enum(offerKinds),
  title: z.string(),
  /** Why it stays in the copy; null: it is created when a person accepts it. */
  stays: z.enum(stayReasons).nullable(),
  /** An expense that was paid here, or a pre-expense that was ignored. */
  is_settled: z.boolean(),
  comments: z.int(),
  /** The unchanged record, to store elsewhere; null for a created one. */
  record: z.record(z.string(), z.unknown()).nullable(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  occurred_at: z.string().nullable(),
  attachments: z.int(),
  state: z.enum(['offered', 'accepted', 'dismissed']),
})
export type ReplicaOffer = z.infer<typeof offer>

const verdict = z.object({
  expense_id: z.int(),
  noticed_at: z.string(),
  /** The findings that only the remote has. */
  found: z.array(flagRepresentation),
  /** The findings that only this replica had. */
  gone: z.array(flagRepresentation),
})

/** An instance as a replica of a remote: its state, operations to send, and what waits for a person. */
export const replicaRoutes = {
  show: route({
    action: 'replica.use',
    name: 'replica.show',
    summary: 'Whether this instance has a remote, and how it stands with it',
    method: 'GET',
    path: '/replica',
    params: nothing,
    query: nothing,
    body: z.unknown(),
    response: state,
    status: 200,
  }),
  connect: route({
    action: 'replica.use',
    name: 'replica.connect',
    summary: 'Make this instance a replica of a remote one',
    method: 'PUT',
    path: '/replica',
    params: nothing,
    query: nothing,
    body: z.object({ url: z.url({ protocol: /^https?$/, error: 'invalid' }), token: z.string('invalid').trim().min(1, 'blank').max(500) }),
    response: state,
    status: 200,
  }),
  disconnect: route({
    action: 'replica.use',
    name: 'replica.disconnect',
    summary: 'Be no replica any more; keep or remove what came from the remote',
    method: 'DELETE',
    path: '/replica',
    params: nothing,
    query: z.object({ data: z.enum(['keep', 'remove']).default('keep') }),
    body: z.unknown(),
    response: z.null(),
    status: 204,
  }),
  sync: route({
    action: 'replica.use',
    name: 'replica.sync',
    summary: 'Exchange with the remote now',
    method: 'POST',
    path: '/replica/sync',
    params: nothing,
    query: nothing,
    body: z.object({}),
    response: state,
    status: 200,
  }),
  decide: route({
    action: 'replica.use',
    name: 'replica.decide',
    summary: 'Decide about a deletion that the guard has stopped',
    method: 'POST',
    path: '/replica/guard',
    params: nothing,
    query: nothing,
    body: z.object({ decision: z.enum(['allow', 'keep'], { error: 'inclusion' }) }),
    response: state,
    status: 200,
  }),
  settings: route({
    action: 'replica.use',
    name: 'replica.settings',
    summary: 'How much is fetched ahead',
    method: 'PATCH',
    path: '/replica',
    params: nothing,
    query: nothing,
    body: z.object({ receipt_budget_bytes: z.int('invalid').min(0, 'invalid') }),
    response: state,
    status: 200,
  }),
  operations: route({
    action: 'replica.use',
    name: 'replica.operations.list',
    summary: 'What waits to be sent, or for a person',
    method: 'GET',
    path: '/replica/operations',
    params: nothing,
    query: z.object({ list: list.default('waiting') }),
    body: z.unknown(),
    response: z.object({ count: z.int(), operations: z.array(operation) }),
    status: 200,
  }),
  resolve: route({
    action: 'replica.use',
    name: 'replica.operations.resolve',
    summary: 'Decide about operations that the remote did not take',
    method: 'POST',
    path: '/replica/operations',
    params: nothing,
    query: nothing,
    body: z.object({
      /** `seen`: the value from the list; absent: the current state. */
      operations: z.array(z.object({ op_id: z.uuid('invalid'), seen: z.string().max(64).optional() })).max(1000),
      /** `again`: repeat it on the current state; `mine` and `theirs`: for a conflict; `discard`: delete it. */
      decision: z.enum(['again', 'mine', 'theirs', 'discard'], { error: 'inclusion' }),
    }),
    response: z.object({ decided: z.int(), refused: z.array(z.object({ op_id: z.string(), message: z.string() })) }),
    status: 200,
  }),
  verdicts: route({
    action: 'replica.use',
    name: 'replica.verdicts.list',
    summary: 'Expenses in which the remote found something else than this replica had, of the last week',
    method: 'GET',
    path: '/replica/verdicts',
    params: nothing,
    query: nothing,
    body: z.unknown(),
    response: z.object({ verdicts: z.array(verdict) }),
    status: 200,
  }),
  dismissVerdicts: route({
    action: 'replica.use',
    name: 'replica.verdicts.dismiss',
    summary: 'Say no more of what the remote found otherwise in some expenses',
    method: 'POST',
    path: '/replica/verdicts',
    params: nothing,
    query: nothing,
    body: z.object({ expense_ids: z.array(z.int('invalid')).max(1000) }),
    response: z.null(),
    status: 204,
  }),
  offers: route({
    action: 'replica.use',
    name: 'replica.offers.list',
    summary: 'What was made here before there was a remote',
    method: 'GET',
    path: '/replica/offers',
    params: nothing,
    query: nothing,
    body: z.unknown(),
    response: z.object({ count: z.int(), offers: z.array(offer) }),
    status: 200,
  }),
  accept: route({
    action: 'replica.use',
    name: 'replica.offers.accept',
    summary: 'Create offered records at the remote, in one of its organizations',
    method: 'POST',
    path: '/replica/offers',
    params: nothing,
    query: nothing,
    body: z.object({
      ids: z.array(z.int('invalid')).max(1000),
      organization_id: z.int({ error: 'invalid' }),
      decision: z.enum(['accept', 'dismiss'], { error: 'inclusion' }).default('accept'),
    }),
    response: z.object({ accepted: z.int(), refused: z.array(z.object({ id: z.int(), message: z.string() })) }),
    status: 200,
  }),
}
