import type { ReplicaOperation } from '#shared/contract/instance/replica'

/** An operation of the outbox: an approval, unless `changes` say otherwise. */
export function sampleOperation(changes: Partial<ReplicaOperation> = {}): ReplicaOperation {
  return {
    op_id: '01a1fd61-11ec-754b-8b2b-52f034c5c356',
    state: 'pending',
    method: 'PUT',
    path: '/expenses/123/status',
    body: { status: 'approved', approved_amount: 12.5, approved_amount_currency: 'BRL' },
    is_conditional: true,
    seen: null,
    subject: { table: 'expenses', id: 123, uid: 'expense-123' },
    base: {},
    mine: {},
    attempts: 0,
    bytes: 215,
    created_at: '2026-11-21T09:12:39Z',
    answer: null,
    ...changes,
  }
}
