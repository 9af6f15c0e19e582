import { fromMinor } from '#shared/domain/money'
import type { Row } from '#db/schema'

/** An expense with the names of all that it refers to. */
export type Joined = Row<'expenses'> & {
  readonly payer_uid: string
  readonly payer_name: string
  readonly receiver_uid: string
  readonly receiver_name: string
  readonly responsible_uid: string | null
  readonly responsible_name: string | null
  readonly tags: string | null
}

/** The least SQL that makes an expense. */
export const columns = `SELECT e.*, o.uid AS payer_uid, o.name AS payer_name, u.uid AS receiver_uid, u.first_name || ' ' || u.last_name AS receiver_name,
  r.uid AS responsible_uid, r.first_name || ' ' || r.last_name AS responsible_name,
  (SELECT group_concat(t.name, ', ' ORDER BY x.position) FROM expense_tags x JOIN tags t ON t.id = x.tag_id WHERE x.expense_id = e.id) AS tags
  FROM expenses e JOIN organizations o ON o.id = e.payer_id JOIN users u ON u.id = e.receiver_id LEFT JOIN users r ON r.id = e.responsible_user_id`

/** The address that links in responses to this host begin with. */
export const baseOf = (host: string) => `http://${host}/api/v1`

/** An expense as the program returns it; `base`: the address that links begin with. */
export function represent(row: Joined, base: string) {
  const href = `${base}/expenses/${row.id}`
  const { approved_amount_minor: approved, approved_amount_currency: approved_currency, responsible_user_id } = row
  return {
    id: row.id,
    uid: row.uid,
    version: row.version,
    amount: fromMinor(row.amount_minor, row.currency),
    description: row.description,
    currency: row.currency,
    occurred_at: row.occurred_at,
    kind: row.kind,
    location: row.location,
    supplier_name: row.supplier_name,
    supplier_tax_id: row.supplier_tax_id,
    latitude: row.latitude,
    longitude: row.longitude,
    corporative_card_id: row.corporative_card_id,
    liquidate_through_advancement: row.liquidate_through_advancement === 1,
    status: row.status,
    approved_amount: approved === null || approved_currency === null ? null : fromMinor(approved, approved_currency),
    approved_amount_currency: approved_currency,
    ignore_noncompliant: row.ignore_noncompliant === null ? null : row.ignore_noncompliant === 1,
    pre_expense_id: row.pre_expense_id,
    reimbursement_id: row.reimbursement_id,
    flag_level: row.flag_level,
    justification: row.justification,
    booked_on: row.booked_on,
    paid_on: row.paid_on,
    payer: { id: row.payer_id, uid: row.payer_uid, name: row.payer_name, type: 'Organization', logo: [] },
    receiver: { id: row.receiver_id, uid: row.receiver_uid, name: row.receiver_name, type: 'User', avatar: [] },
    responsible_user:
      responsible_user_id === null
        ? null
        : { id: responsible_user_id, uid: row.responsible_uid, name: row.responsible_name, type: 'User', avatar: [] },
    attachments_count: row.attachments_count,
    comments_count: row.comments_count,
    activities_count: row.activities_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
    tags: row.tags ?? '',
    attachments: [],
    flags: [],
    _links: [
      { rel: 'self', method: 'GET', href },
      { rel: 'update', method: 'PUT', href },
      { rel: 'partial_update', method: 'PATCH', href },
      { rel: 'destroy', method: 'DELETE', href },
      { rel: 'activities', method: 'GET', href: `${href}/activities` },
    ],
  }
}
