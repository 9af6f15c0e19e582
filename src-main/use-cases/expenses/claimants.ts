import type { Row } from '#db/schema'
import { invalid } from '#shared/domain/errors'
import { insertJoinNotice } from '#main/store/records/organizations/join-notices'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { type DirectoryEntry, listDirectory } from '#main/store/records/organizations/member-directory'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { findUserByEmail } from '#main/store/records/users/user-reader'
import { type NewUser, insertUser } from '#main/store/records/users/user-writer'

/** The claimant of an expense, as named in a table. */
export interface NamedClaimant {
  readonly receiver_name: string
  readonly receiver_email?: string
}

type Profile = Pick<NewUser, 'default_currency' | 'locale' | 'timezone'>

interface Person {
  readonly user_id: number
  readonly hasEmail: boolean
}

/** An organization's members by name and e-mail address, within one transaction. */
export class Claimants {
  readonly #names = new Map<string, Map<number, Person>>()
  readonly #emails = new Map<string, number>()

  private constructor(
    readonly organization_id: number,
    readonly profile: Profile,
  ) {}

  /** Reads the members; new ones get `profile`. */
  static async load(tx: Tx, organization_id: number, profile: Profile): Promise<Claimants> {
    const claimants = new Claimants(organization_id, profile)
    for (const entry of await listDirectory(tx, organization_id)) claimants.#add(entry)
    return claimants
  }

  /**
   * The member with this e-mail address, or otherwise with this name, ignoring case and spacing. A missing one is created as a user and member.
   * Throws `invalid` under `receiver` if several members have the name: nothing is guessed.
   */
  async findOrMake(tx: Tx, named: NamedClaimant): Promise<number> {
    return this.find(named) ?? this.#make(tx, named.receiver_name, named.receiver_email ?? null)
  }

  /** Like {@link findOrMake}; undefined for a missing one. */
  find({ receiver_name: name, receiver_email: email }: NamedClaimant): number | undefined {
    const known = email === undefined ? undefined : this.#emails.get(email.toLowerCase())
    if (known !== undefined) return known
    // A member with another address is another person with the same name.
    const named = this.#named(name).filter(({ hasEmail }) => email === undefined || !hasEmail)
    const [first, ...others] = named
    if (others.length > 0) throw invalid('receiver', 'ambiguous_name', { name, count: named.length })
    return first?.user_id
  }

  #named(name: string): Person[] {
    const exact = this.#names.get(exactly(name))
    return [...(exact ?? this.#names.get(loosely(name)) ?? [])].map(([, person]) => person)
  }

  async #make(tx: Tx, name: string, email: string | null): Promise<number> {
    const { organization_id } = this
    const known = email === null ? undefined : await findUserByEmail(tx, email)
    const user = known ?? (await insertUser(tx, { ...this.profile, name, email }))
    const user_id = user.id
    if (!(await findMembership(tx, { organization_id, user_id }))) {
      const membership = await insertMembership(tx, { organization_id, user_id, role: 'member' })
      // They have an account already, and did not ask to join.
      if (known) await insertJoinNotice(tx, membership)
    }
    this.#add({ ...nameOf(user), user_id, email })
    return user_id
  }

  #add({ user_id, first_name, last_name, email }: DirectoryEntry): void {
    const name = `${first_name} ${last_name}`
    if (email !== null) this.#emails.set(email.toLowerCase(), user_id)
    for (const key of [exactly(name), loosely(name)]) {
      const people = this.#names.get(key) ?? new Map<number, Person>()
      people.set(user_id, { user_id, hasEmail: email !== null })
      this.#names.set(key, people)
    }
  }
}

function nameOf({ first_name, last_name }: Row<'users'>) {
  return { first_name, last_name }
}

function exactly(name: string): string {
  return `=${name.normalize('NFC').trim().replace(/\s+/g, ' ')}`
}

function loosely(name: string): string {
  return `~${exactly(name).slice(1).toLowerCase()}`
}
