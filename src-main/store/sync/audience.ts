import { type Action, type Relation, may } from '#shared/domain/permissions'
import { listMembershipsOf } from '../records/organizations/membership-reader'
import type { Reader } from '../core/store'

/** What a user may see, by organization (`#shared/domain/permissions`). */
export interface Audience {
  readonly user_id: number
  /** Organizations whose members, tags and rules they see. */
  readonly member_of: readonly number[]
  /** Organizations in which they see the records that they take part in. */
  readonly follows: readonly number[]
  /** Organizations in which they see accountabilities that they created and cards that they use. */
  readonly holds: readonly number[]
  /** Organizations in which they see all expenses, reimbursements, advancements and accountabilities. */
  readonly reviews: readonly number[]
  /** Organizations in which they see all cards. */
  readonly manages: readonly number[]
  /** Organizations in which they see to whom tags are restricted. */
  readonly shows_tags: readonly number[]
  /** Organizations in which they see open invitations. */
  readonly invites: readonly number[]
  /** Organizations in which they see webhooks. */
  readonly keeps_webhooks: readonly number[]
  /** Organizations in which they see imports. */
  readonly imports: readonly number[]
  /** Organizations in which they see handovers. */
  readonly hands_over: readonly number[]
  /** Organizations in which they see the sealed audit trail. */
  readonly audits: readonly number[]
  /** The same as text: when it changes, a replica holds more or less than its user may see. */
  readonly scopes: readonly string[]
}

/** What a user may see now. */
export async function getAudience(reader: Reader, user_id: number): Promise<Audience> {
  const roles = await listMembershipsOf(reader, user_id)
  const idsWhere = (action: Action, relation: Omit<Relation, 'role'> = {}) =>
    roles.filter(({ role }) => may(action, { ...relation, role })).map(({ organization_id }) => organization_id)
  return {
    user_id,
    member_of: idsWhere('organizations.read'),
    follows: idsWhere('expenses.read', { is_participant: true }),
    holds: idsWhere('accountabilities.read', { is_holder: true }),
    reviews: idsWhere('expenses.read'),
    manages: idsWhere('corporative_cards.read'),
    shows_tags: idsWhere('tags.show'),
    invites: idsWhere('members.invite'),
    keeps_webhooks: idsWhere('webhooks.manage'),
    imports: idsWhere('expenses.import'),
    hands_over: idsWhere('handovers.list'),
    audits: idsWhere('audit.read'),
    // If a replica's scopes differ, it gets a snapshot and removes what it should no longer hold.
    scopes: [`person:${user_id}`, ...roles.map(({ organization_id, role }) => `organization:${organization_id}:${role}`)].sort(),
  }
}
