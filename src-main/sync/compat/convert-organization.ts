import { tagKey } from '#shared/domain/tags'
import { parseRate } from '#shared/domain/distance'
import { toColumns } from '#shared/records/columns'
import { corporativeCard } from '#shared/records/corporative-card'
import { distanceRule } from '#shared/records/distance-rule'
import { membership } from '#shared/records/membership'
import { organization } from '#shared/records/organization'
import { tag } from '#shared/records/tag'
import { user } from '#shared/records/user'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { findRow } from '#main/store/sync/remote-rows'
import { listEmails } from '#main/store/records/users/user-reader'
import { RemoteError } from '../remote-error'
import { readAs } from './plain-api'
import { type Converted, type Reading, needOrganization, needUser, recordColumns, uidOf, userRow } from './rows'
import * as shapes from './shapes'

/** An organization (supplement 2). */
export async function convertOrganization(reading: Reading, raw: unknown): Promise<Converted> {
  const shown = readAs(shapes.organization, raw, 'an organization')
  const { id, expired, updated_at } = shown
  const local = await findRow(reading.reader, 'organizations', id)
  const row = {
    ...recordColumns(reading, 'organizations', { ...shown, local }),
    ...toColumns(organization.attributes, shown),
    // The contract does not show since when.
    expired_at: expired ? (local?.expired_at ?? updated_at) : null,
  }
  return { table: 'organizations', row, links: [] }
}

/** A membership with its user (contract 2.13). */
export async function convertMembership(reading: Reading, raw: unknown): Promise<Converted> {
  const shown = readAs(shapes.membership, raw, 'a membership')
  const organization_id = shown.organization.id
  const known = await findMembership(reading.reader, { organization_id, user_id: shown.user.id })
  const id = shown.id ?? known?.id ?? (await reading.mintId())
  const local = await findRow(reading.reader, 'memberships', id)
  const created_at = shown.created_at ?? String(local?.created_at ?? '1970-01-01T00:00:00Z')
  await convertPerson(reading, shown.user, created_at)
  const row = {
    ...recordColumns(reading, 'memberships', { ...shown, id, created_at, updated_at: shown.updated_at ?? created_at, local }),
    organization_id,
    user_id: shown.user.id,
    ...toColumns(membership.attributes, shown),
  }
  return { table: 'memberships', row, links: [] }
}

/** A user with the addresses that are shown. */
async function convertPerson(reading: Reading, person: shapes.PlainPerson, now: string): Promise<void> {
  const { reader, rows } = reading
  const { id: user_id, emails } = person
  const local = await findRow(reader, 'users', user_id)
  rows.add('users', userRow(reading, person, { local, now }))
  if (emails.length === 0) return
  const known = await listEmails(reader, [user_id])
  for (const { email, main } of emails) {
    const one = known.find((other) => other.email.toLowerCase() === email.toLowerCase())
    const id = one?.id ?? (await reading.mintId())
    rows.add('user_emails', { id, user_id, email, main: main ? 1 : 0, created_at: one?.created_at ?? now })
  }
  for (const { id, email } of known)
    if (!emails.some((shown) => shown.email.toLowerCase() === email.toLowerCase())) rows.removed.push({ table: 'user_emails', id })
}

/** The caller, from their preferences (contract 2.17). */
export async function convertPreferences(reading: Reading, raw: unknown): Promise<Converted | undefined> {
  const { id, version, language: spoken, ...shown } = readAs(shapes.preferences, raw, 'preferences')
  const local = await findRow(reading.reader, 'users', id)
  if (!local) return undefined
  const { default_currency, locale } = shown
  const row = {
    ...local,
    ...toColumns(user.attributes, shown),
    id,
    version: version ?? Number(local.version),
    default_currency,
    language: spoken === locale ? null : spoken,
  }
  return { table: 'users', row, links: [] }
}

/** A tag with its restrictions, if shown (contract 2.10). */
export async function convertTag(reading: Reading, organization_id: number, raw: unknown): Promise<Converted> {
  const shown = readAs(shapes.tag, raw, 'a tag')
  const { id, name } = shown
  const local = await findRow(reading.reader, 'tags', id)
  const row = {
    ...recordColumns(reading, 'tags', { ...shown, local }),
    ...toColumns(tag.attributes, shown),
    organization_id,
    name_key: tagKey(name),
  }
  const user_ids = new Set(shown.restricted_user_ids ?? [])
  const limited: Array<{ tag_id: number; user_id: number }> = []
  for (const user_id of user_ids)
    if (reading.rows.has('users', user_id) || (await findRow(reading.reader, 'users', user_id))) limited.push({ tag_id: id, user_id })
  return { table: 'tags', row, links: [{ table: 'tag_restrictions', rows: limited }] }
}

/** A distance rule; undefined if the organization uses the default (contract 2.15). */
export async function convertDistanceRule(reading: Reading, organization_id: number, raw: unknown): Promise<Converted | undefined> {
  const shown = readAs(shapes.distanceRule, raw, 'a distance rule')
  const { id, uid, version, amount, currency } = shown
  if (id === null) return undefined
  const local = await findRow(reading.reader, 'distance_rules', id)
  const { kind, ...rate } = parseRate(amount, currency)
  if (!('amount_minor' in rate)) throw new RemoteError('unreadable', `${amount} ${currency} is not a rate (${kind}).`)
  const dated = String(local?.created_at ?? '1970-01-01T00:00:00Z')
  const row = {
    id,
    uid: uidOf(reading, 'distance_rules', { id, uid, local }),
    version: version ?? Number(local?.version ?? 1),
    created_at: dated,
    updated_at: dated,
    deleted_at: null,
    ...toColumns(distanceRule.attributes, shown),
    organization_id,
    ...rate,
    currency,
  }
  return { table: 'distance_rules', row, links: [] }
}

/** A corporative card (contract 2.8). */
export async function convertCard(reading: Reading, raw: unknown): Promise<Converted> {
  const shown = readAs(shapes.card, raw, 'a corporative card')
  const { id, number, flag, expiration_month, expiration_year } = shown
  const local = await findRow(reading.reader, 'corporative_cards', id)
  const row = {
    ...recordColumns(reading, 'corporative_cards', { ...shown, local }),
    ...toColumns(corporativeCard.attributes, shown),
    organization_id: await needOrganization(reading, shown.organization),
    user_id: await needUser(reading, shown.user),
    number_length: number.length,
    number_last4: number.slice(-4),
    number_hmac: '',
    flag: flag.name,
    expiration_month,
    expiration_year,
  }
  return { table: 'corporative_cards', row, links: [] }
}
