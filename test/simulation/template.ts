import { insertMembership } from '#main/store/records/organizations/organization-writer'
import { insertUser } from '#main/store/records/users/user-writer'
import { foundOrganization } from '#main/use-cases/organizations/organizations'
import type { Role } from '#shared/domain/roles'
import { SimClock } from './sim-clock'
import { Site } from './site'
import type { Copy } from './store-pool'
import { directTransport } from './wire'

/** A user of the remote. */
export interface Person {
  readonly user_id: number
  readonly name: string
}

/** What every history begins with copies of: a remote with people and records, and replicas that have synced with it. */
export interface Template {
  readonly remote: Copy
  /** By the name of the person and of the device. */
  readonly replicas: ReadonlyMap<string, Copy>
  readonly people: readonly Person[]
  /** Someone whom few replicas know: of the second organization, and not yet of the first. */
  readonly newcomer: Person
  readonly organization_ids: readonly [number, number]
}

/** How many devices of each person are prepared; the last has never exchanged anything. */
export const devices = ['a', 'b', 'fresh'] as const
export type Device = (typeof devices)[number]

const roles = { ada: 'admin', max: 'manager', ann: 'analyst', mel: 'member', tom: 'member' } as const satisfies Record<string, Role>
const nobody = { user_id: 0, origin: 'cli', request_id: null, if_match: null }

/** Makes the template, once for a process. */
export async function makeTemplate(): Promise<Template> {
  const replicas = new Map<string, Copy>()
  const remote = await Site.open({ name: 'remote', clock: new SimClock(1) })
  const { people, newcomer, organization_ids } = await found(remote)
  await fill(remote, people, organization_ids)
  for (const [index, { user_id, name }] of people.entries())
    for (const [number, device] of devices.entries()) {
      const replica = await Site.open({
        name,
        clock: new SimClock(1000 + index * 10 + number),
        transportTo: () => directTransport(() => remote, user_id),
      })
      const outcome = await replica.parts.replica.connect({ url: 'http://remote', token: `token-${user_id}` })
      if (outcome.kind !== 'connected') throw new Error(outcome.message)
      if (device !== 'fresh') await replica.parts.replica.sync()
      replicas.set(`${name}-${device}`, replica.copy())
      await replica.close()
    }
  const copy = remote.copy()
  await remote.close()
  return { remote: copy, replicas, people, newcomer, organization_ids }
}

async function found(remote: Site): Promise<Pick<Template, 'people' | 'newcomer' | 'organization_ids'>> {
  const profile = (name: string) => ({
    name: `${name} Doe`,
    email: `${name}@example.org`,
    default_currency: 'BRL',
    locale: 'en' as const,
    timezone: 'Etc/UTC',
  })
  return remote.store.transact(nobody, async (tx) => {
    const first = await foundOrganization(tx, { organization: 'Acme', admin: profile('ada') })
    const people: Person[] = [{ user_id: first.user.id, name: 'ada' }]
    for (const [name, role] of Object.entries(roles).slice(1)) {
      const user = await insertUser(first.tx, profile(name))
      await insertMembership(first.tx, { organization_id: first.organization.id, user_id: user.id, role })
      people.push({ user_id: user.id, name })
    }
    const second = await foundOrganization(tx, { organization: 'Beta', admin: profile('zoe') })
    const [, max, , mel] = people
    for (const one of [max, mel])
      if (one) await insertMembership(second.tx, { organization_id: second.organization.id, user_id: one.user_id, role: 'member' })
    const newcomer: Person = { user_id: second.user.id, name: 'zoe' }
    return { people, newcomer, organization_ids: [first.organization.id, second.organization.id] }
  })
}

async function fill(remote: Site, people: readonly Person[], organization_ids: readonly [number, number]): Promise<void> {
  const [organization_id] = organization_ids
  const send = async (user_id: number, path: string, body: unknown) => {
    const { status, body: made } = await remote.call({ user_id, method: 'POST', path, body })
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`)
  }
  const admin = people[0]?.user_id ?? 0
  for (const name of ['Travel', 'Meals']) await send(admin, `/organizations/${organization_id}/tags`, { name })
  for (const [index, { user_id, name }] of people.entries())
    await send(user_id, '/expenses', {
      payer: { id: organization_id, type: 'Organization' },
      amount: 10 + index,
      occurred_at: '2026-03-01',
      description: `first of ${name}`,
      tags: index % 2 ? ['Travel'] : [],
    })
}
