import { FaultyWire } from './faulty-wire'
import type { History } from './history'
import { Ledger } from './ledger'
import { Random } from './random'
import type { Seat } from './seat'
import { SimClock } from './sim-clock'
import { Site } from './site'
import type { Copy } from './store-pool'
import type { Device, Person, Template } from './template'

/** One remote and its replicas, with what an all-knowing observer has seen of them. */
export class World {
  readonly seats: Seat[] = []
  readonly ledger: Ledger
  /** What was copied to be put back later, by the name of the instance. */
  readonly copies = new Map<string, Copy>()
  /** What was done, in words. */
  readonly log: string[] = []
  readonly clock: SimClock
  #remote: Site | undefined
  private constructor(
    readonly template: Template,
    readonly history: History,
  ) {
    this.clock = new SimClock(history.seed, history.stride)
    this.ledger = new Ledger()
  }

  static async begin(template: Template, history: History): Promise<World> {
    const world = new World(template, history)
    world.#remote = await Site.open({ name: 'remote', from: template.remote, clock: world.clock })
    await world.ledger.watch(world.remote)
    for (const { person, device } of history.seats) {
      const one = template.people[person]
      if (one) await world.sit(one, world.#prepared(one, device))
    }
    return world
  }

  get remote(): Site {
    if (!this.#remote) throw new Error('The world is over.')
    return this.#remote
  }

  #prepared({ name }: Person, device: Device): Copy {
    const copy = this.template.replicas.get(`${name}-${device}`)
    if (!copy) throw new Error(`${name} has no device ${device}.`)
    return copy
  }

  /** Puts a person before a copy of a replica. */
  async sit(person: Person, from: Copy): Promise<Seat> {
    const index = this.seats.length
    const name = `${person.name}/${index}`
    const wire = new FaultyWire({ remote: () => this.remote, user_id: person.user_id, random: (seed) => new Random(seed) })
    const clock = new SimClock(this.history.seed * 31 + index + 1)
    const site = await Site.open({ name, from, clock, transportTo: () => wire.transport })
    const seat = { name, person, site, wire, clock }
    this.seats.push(seat)
    return seat
  }

  /** A replica of a person that has never exchanged anything. */
  async beside(person: Person): Promise<Seat> {
    const seat = await this.sit(person, this.#prepared(person, 'fresh'))
    this.seats.pop()
    return seat
  }

  async end(): Promise<void> {
    for (const { site } of this.seats) await site.close()
    await this.remote.close()
  }
}
