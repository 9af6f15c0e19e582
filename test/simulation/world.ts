import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FaultyWire } from './faulty-wire'
import type { History } from './history'
import { Ledger } from './ledger'
import { Random } from './random'
import { SimClock } from './sim-clock'
import { Site } from './site'
import { type Person, type Template, makeFolder } from './template'

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
    const folder = join(world.folder, 'remote')
    cpSync(join(template.folder, 'remote'), folder, { recursive: true })
    world.#remote = await Site.open({ name: 'remote', folder, clock: world.clock })
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
    const folder = join(this.folder, `replica-${index}`)
    cpSync(from, folder, { recursive: true })
    const wire = new FaultyWire({
      remote: () => this.remote,
      user_id: person.user_id,
      random: (seed) => new Random(seed),
    })
    const clock = new SimClock(this.history.seed * 31 + index + 1)
    const site = await Site.open({ name, folder, clock, transportTo: () => wire.transport })
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
