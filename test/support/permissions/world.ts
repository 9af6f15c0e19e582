import type { Tx } from '#main/store/core/store'
import {
  deleteMembership,
  deleteOrganization,
  insertMembership,
  insertOrganization,
  updateOrganization,
} from '#main/store/records/organizations/organization-writer'
import type { Role } from '#shared/domain/roles'
import { type Api, type Instance, type Person, apiOf, startInstance } from '#test/support/instance'
import { xmlFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

/** Who calls, in the words of the organization at home. */
export const callers = [
  'admin',
  'manager',
  'analyst',
  'member',
  'former member',
  'stranger',
  'admin of another organization',
  'nobody',
] as const
export type CallerName = (typeof callers)[number]

/** One who calls; nobody has no credentials, and as a record's owner is another member. */
export interface Caller {
  readonly name: CallerName
  readonly user_id: number
  readonly api: Api
  readonly credentials: Readonly<Record<string, string>>
}

/** The organizations, as everybody at home calls them. */
export type Where = 'home' | 'elsewhere' | 'expired' | 'deleted'

/** An organization and what its members are in it. */
export interface Organization {
  readonly id: number
  readonly roles: ReadonlyMap<number, Role>
}

/** An instance with everybody in it. */
export interface World {
  readonly instance: Instance
  readonly people: Readonly<Record<CallerName, Caller>>
  /** Whom records belong to that are not the caller's: a member at home, and one of the other organization. */
  readonly others: { readonly here: number; readonly elsewhere: number }
  readonly organizations: Readonly<Record<Where, Organization>>
  /** Another organization where everybody is what they are in that one, for what would change it for all. */
  makeOrganization(where: Where): Promise<Organization>
  /** Writes on someone's behalf, past all rules. */
  write<T>(user_id: number, work: (tx: Tx) => Promise<T> | T): Promise<T>
  /** The Location of a file that someone uploaded. */
  fileOf(caller: Caller): Promise<string>
  /** A number that no other record has. */
  next(): number
}

type Members = Array<[user_id: number, role: Role]>

/** Starts an instance and puts everybody in it. */
export async function makeWorld(): Promise<World> {
  const instance = await startInstance({ settings: { OUTLAY_LOGIN_THROTTLE: 100_000 } })
  const { admin, manager, analyst, member, stranger } = instance
  const olga = await instance.addUser('Olga Other', 'member')
  const former = await instance.addUser('Fred Former')
  const foreign = await instance.addUser('Fay Foreign')
  const ed = await instance.addUser('Ed Elsewhere')
  const second = await instance.addUser('Sue Second')
  const called = (name: CallerName, { user_id, api, token }: Person): Caller => ({
    name,
    user_id,
    api,
    credentials: { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` },
  })
  const people: World['people'] = {
    admin: called('admin', admin),
    manager: called('manager', manager),
    analyst: called('analyst', analyst),
    member: called('member', member),
    'former member': called('former member', former),
    stranger: called('stranger', stranger),
    'admin of another organization': called('admin of another organization', foreign),
    nobody: { name: 'nobody', user_id: olga.user_id, api: apiOf(instance.url, null), credentials: {} },
  }
  const write: World['write'] = (user_id, work) =>
    instance.app.store.transact({ user_id, origin: 'test', request_id: null, if_match: null }, async (tx) => work(tx))
  const here: Members = [
    [admin.user_id, 'admin'],
    [manager.user_id, 'manager'],
    [analyst.user_id, 'analyst'],
    [member.user_id, 'member'],
    [olga.user_id, 'member'],
    [second.user_id, 'admin'],
  ]
  const there: Members = [
    [foreign.user_id, 'admin'],
    [ed.user_id, 'member'],
    [second.user_id, 'admin'],
  ]
  const makeOrganization = (where: Where) =>
    write(second.user_id, async (tx): Promise<Organization> => {
      const members = where === 'elsewhere' ? there : here
      const organization = await insertOrganization(tx, { name: where })
      for (const [user_id, role] of members) await insertMembership(tx, { organization_id: organization.id, user_id, role })
      if (where === 'expired') await updateOrganization(tx, organization, { expired_at: tx.now })
      if (where === 'deleted') await deleteOrganization(tx, organization)
      return { id: organization.id, roles: new Map(where === 'deleted' ? [] : members) }
    })
  const makeHome = async (): Promise<Organization> => {
    const home = await makeOrganization('home')
    await write(former.user_id, async (tx) => {
      const membership = await insertMembership(tx, { organization_id: home.id, user_id: former.user_id, role: 'manager' })
      await deleteMembership(tx, membership, 'organization_left')
    })
    return home
  }
  const files = new Map<number, Promise<string>>()
  let count = 0
  return {
    instance,
    people,
    others: { here: olga.user_id, elsewhere: ed.user_id },
    organizations: {
      home: await makeHome(),
      elsewhere: await makeOrganization('elsewhere'),
      expired: await makeOrganization('expired'),
      deleted: await makeOrganization('deleted'),
    },
    makeOrganization,
    write,
    fileOf: (caller) => {
      const known = files.get(caller.user_id) ?? uploadFile(caller, xmlFile({ id: `NFe${caller.user_id}` }))
      files.set(caller.user_id, known)
      return known
    },
    next: () => (count += 1),
  }
}
