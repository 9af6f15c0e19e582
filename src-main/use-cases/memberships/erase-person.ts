import { forbidden, invalid, notFound } from '#shared/domain/errors'
import { defaultLanguage } from '#shared/domain/locales'
import { may } from '#shared/domain/permissions'
import { translate } from '#shared/i18n/translations'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { deleteMembership } from '#main/store/records/organizations/organization-writer'
import { erasePersonRow, listMembershipsEver, recordErasing } from '#main/store/records/users/erased-person'
import { languageOf } from '#main/store/records/users/user-language'
import { findUser } from '#main/store/records/users/user-reader'
import type { Tx } from '#main/store/core/store'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertNotStandingIn } from '../approvals/stand-in-record'
import { assertNotLastAdmin } from './memberships'

/** The person to erase. */
export interface ErasePerson {
  readonly organization_id: number
  readonly user_id: number
  /** Their full name, typed as confirmation. */
  readonly name: string
  /** Set for the instance's operator: other organizations' consent is not needed. */
  readonly isOperator?: true
}

/**
 * Permanently replaces the name, addresses and picture of a current or former member, and ends their memberships. Only for admins of all their
 * current and former organizations. Throws {@link DomainError}.
 */
export async function erasePerson(tx: Tx, { organization_id, user_id, name, isOperator }: ErasePerson): Promise<void> {
  const user = await findUser(tx, user_id)
  const memberships = await listMembershipsEver(tx, user_id)
  if (!user || !memberships.some((one) => one.organization_id === organization_id)) throw notFound()
  await getManagedOrganization(tx, organization_id, 'members.erase')
  const whole = `${user.first_name} ${user.last_name}`.trim()
  if (name.trim() !== whole) throw invalid('name', 'invalid')
  const organization_ids = new Set(memberships.map((one) => one.organization_id))
  if (!isOperator)
    for (const id of organization_ids) {
      const role = await findRole(tx, { organization_id: id, user_id: tx.actor.user_id })
      if (!may('members.erase', { role })) throw forbidden()
    }
  const live = memberships.filter(({ deleted_at }) => deleted_at === null)
  for (const member of live) {
    await assertNotLastAdmin(tx, member)
    await assertNotStandingIn(tx, member)
  }
  for (const member of live) await deleteMembership(tx, member, 'organization_remove_member')
  const newest = new Map(memberships.map((one) => [one.organization_id, one]))
  for (const member of newest.values()) await recordErasing(tx, member)
  await erasePersonRow(tx, user, await nameOfErased(tx))
}

/** The name of an erased person, in the language of the person who erases: names are data, the same for every reader. */
async function nameOfErased(tx: Tx) {
  const eraser = await findUser(tx, tx.actor.user_id)
  const [first_name = '', ...rest] = translate(eraser ? languageOf(eraser) : defaultLanguage, 'audit:erasedPerson').split(' ')
  return { first_name, last_name: rest.join(' ') }
}
