import type { FaultyWire } from './faulty-wire'
import type { SimClock } from './sim-clock'
import type { Site } from './site'
import type { Person } from './template'

/** A person at a replica. */
export interface Seat {
  readonly name: string
  readonly person: Person
  readonly site: Site
  readonly wire: FaultyWire
  readonly clock: SimClock
}
