import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { FaultyWire } from './faulty-wire'
import type { History } from './history'
import { Ledger } from './ledger'
import { Random } from './random'
import { SimClock } from './sim-clock'
import { Site } from './site'
import { makeFolder, siteFolder } from './store-pool'
import type { Person, Template } from './template'

/** A person at a replica. */
export interface Seat {
  readonly name: string
  readonly person: Person
  readonly site: Site
  readonly wire: FaultyWire
  readonly clock: SimClock
}

/** One remote and its replicas, with what an all-knowing observer has seen of them. */
export class World {
  readonly folder: string
  readonly seats: Seat[] = []
  readonly ledger: Ledger
  /** What was done, in words. */
  readonly log: string[] = []
  readonly clock: SimClock
  #remote: Site | undefined
  private constructor(
    readonly template: Template,
    readonly history: History,
  ) {
    this.folder = makeFolder()
    this.clock = new SimClock(history.seed, history.stride)
    this.ledger = new Ledger()
  }

  static async begin(template: Template, history: History): Promise<World> {
    const world = new World(template, history)
    const from = { folder: join(template.folder, 'remote'), isKept: true }
    world.#remote = await Site.open({ name: 'remote', folder: siteFolder(), from, clock: world.clock })
    await world.ledger.watch(world.remote)
    for (const { person, device } of history.seats) {
      const one = template.people[person]
      if (one) await world.sit(one, join(template.folder, `${one.name}-${device}`))
    }
    return world
  }

  get remote(): Site {
    if (!this.#remote) throw new Error('The world is over.')
    return this.#remote
  }

  /** Puts a person before a copy of a replica's folder. */
  async sit(person: Person, from: string): Promise<Seat> {
    const index = this.seats.length
    const name = `${person.name}/${index}`
    const folder = siteFolder()
    const wire = new FaultyWire({
      remote: () => this.remote,
      user_id: person.user_id,
      random: (seed) => new Random(seed),
    })
    const clock = new SimClock(this.history.seed * 31 + index + 1)
    const isKept = from.startsWith(this.template.folder)
    const site = await Site.open({ name, folder, from: { folder: from, isKept }, clock, transportTo: () => wire.transport })
    const seat = { name, person, site, wire, clock }
    this.seats.push(seat)
    return seat
  }

  /** A replica of a person that has never exchanged anything. */
  async beside(person: Person): Promise<Seat> {
    const seat = await this.sit(person, join(this.template.folder, `${person.name}-fresh`))
    this.seats.pop()
    return seat
  }

  async end(): Promise<void> {
    for (const { site } of this.seats) await site.close()
    await this.remote.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
