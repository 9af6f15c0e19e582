import { type Action, type Relation, may } from '#shared/domain/permissions'
import { listMembershipsOf } from '../records/organizations/membership-reader'
import type { Reader } from '../core/store'

/** What a user may see, by the organizations they belong to (`#shared/domain/permissions`). */
export interface Audience {
  readonly user_id: number
  /** Organizations whose members, tags and rules they see. */
  readonly member_of: readonly number[]
  /** Organizations in which they see what they take part in. */
  readonly follows: readonly number[]
  /** Organizations in which they see the accountabilities that they created and the cards that they use. */
  readonly holds: readonly number[]
  /** Organizations all of whose expenses, reimbursements, advancements and accountabilities they see. */
  readonly reviews: readonly number[]
  /** Organizations all of whose cards they see. */
  readonly manages: readonly number[]
  /** Organizations where they see who a tag is limited to. */
  readonly shows_tags: readonly number[]
  /** Organizations whose open invitations they see. */
  readonly invites: readonly number[]
  /** Organizations whose webhooks they see. */
  readonly keeps_webhooks: readonly number[]
  /** Organizations whose imports they see. */
  readonly imports: readonly number[]
  /** Organizations whose handovers they see. */
  readonly hands_over: readonly number[]
  /** Organizations whose sealed audit trail they see. */
  readonly audits: readonly number[]
  /** The same as words: when they differ, what a replica holds is no longer what its user may see. */
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
    // A replica that knows other words than these gets a snapshot, and lets go of what it should not hold.
    scopes: [`person:${user_id}`, ...roles.map(({ organization_id, role }) => `organization:${organization_id}:${role}`)].sort(),
  }
}
