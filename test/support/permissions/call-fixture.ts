import type { Relation } from '#shared/domain/permissions'
import type { Place, Situation } from './places'
import type { World } from './world'

/** A record to call a route on: the parameters of its path, and what else bodies name of it. */
export type Made = Readonly<Record<string, string | number>>

/** A kind of record that routes are called on. */
export interface Resource {
  /** The situations that a record of this kind can be in. */
  readonly situations: readonly Situation[]
  /** Stores one, past all rules. In a place with a guess the last parameter of the path is that. */
  make(world: World, place: Place): Promise<Made>
  /** Whether the caller sees it, by its row of the table. */
  isSeen(place: Place): boolean
  /** What the caller is to it, where it is written. */
  relationOf(place: Place): Relation
  /** How one that the caller may not see answers: 404, or 422 where a body names it. */
  readonly hidden?: 404 | 422
  /** How a deleted one answers who could see it. */
  readonly deleted?: 404 | 410
  /** No record, but all that its row lets the caller see: nobody is refused. */
  readonly isList?: true
  /** Who may not do this in its organization learns not even whether it is there: 403 comes before its 404. */
  readonly isManaged?: true
  /** It is its organization itself, or a membership: what is done to it must not be done to everybody's. */
  readonly isOfOrganization?: true
}

/** How a route is called. */
export interface CallFixture {
  readonly on: Resource
  readonly body?: (given: { world: World; place: Place; made: Made }) => unknown
  /** The query string, without its question mark. */
  readonly query?: (made: Made) => string
  /** What a rule beside the table refuses (403) although the row allows it: the state of the record, or whose role is changed. */
  readonly may?: (place: Place) => boolean
  /** How success is answered, where not as the route says; or what a documented rule answers everyone whom the table lets. */
  readonly answers?: number | ((place: Place) => number | undefined)
  /** A write that an expired organization allows (supplement 1). */
  readonly whenExpired?: 'allowed'
}

/** Fixtures by the name of their route. */
export type CallFixtures = Readonly<Record<string, CallFixture>>

/** The caller's role where the record is. */
export function roleOf({ organization, caller }: Place) {
  return caller.name === 'nobody' ? undefined : organization.roles.get(caller.user_id)
}

/** Whether the record is the caller's. */
export function isOwn({ owner_id, caller }: Place): boolean {
  return owner_id === caller.user_id
}

/** The relation of a caller to a record with a receiver and participants. */
export function receivedBy(place: Place): Relation {
  return { role: roleOf(place), is_receiver: isOwn(place), is_participant: place.isShared }
}

/** What was made for each caller in each situation. */
const kept = new WeakMap<World, Map<Resource, Map<string, Promise<Made>>>>()

function keptOf(world: World, resource: Resource): Map<string, Promise<Made>> {
  const all = kept.get(world) ?? new Map<Resource, Map<string, Promise<Made>>>()
  kept.set(world, all)
  const own = all.get(resource) ?? new Map<string, Promise<Made>>()
  all.set(resource, own)
  return own
}

const keyOf = ({ situation, caller }: Place) => `${situation} ${caller.name}`

/** A record for a place: one that was made before, which calls that are refused and those that read leave as it was, or a new one. */
export function recordFor(world: World, resource: Resource, place: Place): Promise<Made> {
  const own = keptOf(world, resource)
  const made = own.get(keyOf(place)) ?? resource.make(world, place)
  own.set(keyOf(place), made)
  return made
}

/** Says that a call has changed the record of a place: the next call gets a new one. */
export function spendRecord(world: World, resource: Resource, place: Place): void {
  keptOf(world, resource).delete(keyOf(place))
}
