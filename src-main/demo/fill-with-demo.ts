import type { BlobStore } from '#main/files/blob-store'
import type { Tx } from '#main/store/core/store'
import { importRows } from '#main/use-cases/expenses/import-expenses'
import { foundOrganization } from '#main/use-cases/organizations/organizations'
import { createOrganizationRecord } from '#main/use-cases/organization-records/organization-records'
import { tagRecord } from '#main/use-cases/tags/tag-record'
import { addUser } from '#main/use-cases/users/add-user'
import { createToken } from '#main/use-cases/users/tokens'
import { handmadeExpenses } from './handmade-expenses'
import { type PersonKey, emailOf, people, tags } from './people'
import publishedExpenses from './published-expenses.json'
import { type Demo, recordExpense } from './record-expense'
import { settleDemo } from './settlements'

/** What the demo needs in addition to its transaction. */
export type DemoDeps = Pick<Demo, 'blobs' | 'signing_secret'> & { readonly blobs: BlobStore }

/**
 * Fills an instance with a small demo organization, in the caller's transaction and through the usual use cases: people of every role, a few hundred
 * published expenses of the Brazilian Senate, and handmade ones in every status, with receipts, comments and mentions, and money advanced, paid and
 * returned. Sends no notifications, as its people are fictional. Returns its admin and a token.
 */
export async function fillWithDemo(tx: Tx, deps: DemoDeps): Promise<{ organization_id: number; user_id: number; token: string }> {
  const { name, locale } = people.helena
  const admin = { name, email: emailOf(people.helena), default_currency: 'BRL', locale, timezone: 'America/Sao_Paulo' }
  const founded = await foundOrganization(tx.as({ ...tx.actor, origin: 'demo' }), { organization: 'Instituto Aurora', admin })
  const organization_id = founded.organization.id
  const ids = new Map<PersonKey, number>([['helena', founded.user.id]])
  const idOf = (person: PersonKey) => ids.get(person) ?? founded.user.id
  const as = (person: PersonKey) => tx.as({ ...tx.actor, origin: 'demo', user_id: idOf(person) })
  for (const person of personKeys) {
    if (person === 'helena') continue
    const { user_id } = await addUser(founded.tx, { ...people[person], organization_id, email: emailOf(people[person]) })
    ids.set(person, user_id)
  }
  for (const { name: tag, group } of tags)
    await createOrganizationRecord(founded.tx, tagRecord, { organization_id, input: { name: tag, group } })
  await importRows(founded.tx, { organization_id, currency: 'BRL' }, publishedExpenses)
  const demo: Demo = { ...deps, organization_id, as, idOf }
  await settleDemo(demo)
  for (const expense of handmadeExpenses.toReversed()) await recordExpense(demo, expense)
  const { token } = await createToken(founded.tx, { user_id: founded.user.id, description: 'demo' })
  return { organization_id, user_id: founded.user.id, token }
}

const personKeys = ['helena', 'marcus', 'beatriz', 'rafael', 'emily', 'joao', 'priya'] as const satisfies readonly PersonKey[]
