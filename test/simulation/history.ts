import { type FaultKind, faultKinds } from './faulty-wire'
import { Random } from './random'
import type { Device } from './template'

/** What may happen next, and how likely it is. */
const weights = {
  /** Someone at a replica does something. */
  local: 46,
  /** Someone at the remote does something. */
  central: 18,
  sync: 20,
  /** An exchange over a bad line. */
  'bad sync': 22,
  /** The replica's process ends in the middle of an exchange, or of a write. */
  'killed sync': 9,
  'killed write': 2,
  /** The remote's process ends in the middle of an exchange. */
  'killed remote': 4,
  /** What was held back arrives. */
  deliver: 3,
  clock: 2,
  /** A person decides about what did not come through. */
  resolve: 5,
  role: 3,
  'copy replica': 2,
  'restore replica': 1.5,
  'copy remote': 2,
  'restore remote': 1.5,
  'lose file': 1,
  /** No leased ids are left. */
  'run out': 3,
  clone: 1,
  /** Much is deleted at the remote. */
  purge: 0.6,
  decide: 1,
} as const
export type StepKind = keyof typeof weights

/** One step: what happens, where, and the seed of every choice in it, so that it stays the same when others are left out. */
export interface Step {
  readonly kind: StepKind
  /** Which seat it happens at. */
  readonly seat: number
  readonly seed: number
}

/** A whole history. */
export interface History {
  readonly seed: number
  /** How the remote's clock strides: beyond a slice, every operation has a transaction of its own. */
  readonly stride: number
  readonly seats: ReadonlyArray<{ readonly person: number; readonly device: Device }>
  readonly steps: readonly Step[]
}

/** The history of a seed. */
export function drawHistory(seed: number): History {
  const random = new Random(seed)
  const count = 2 + random.int(2)
  const people = Array.from({ length: count }, () => 1 + random.int(4))
  // Two devices of one person are likely enough to be met often.
  if (random.chance(0.4)) people[1] = people[0] ?? 1
  const used = new Map<number, number>()
  const seats = people.map((person) => {
    const number = used.get(person) ?? 0
    used.set(person, number + 1)
    return { person, device: (['a', 'b', 'fresh'] as const)[number] ?? 'fresh' }
  })
  const length = 6 + random.int(20)
  const steps = Array.from({ length }, () => ({ kind: random.weighed<StepKind>(weights), seat: random.int(count), seed: random.fork() }))
  return { seed, stride: random.chance(0.7) ? 70 : 3, seats, steps }
}

/** The faults of one bad exchange. */
export function drawFaults(random: Random): Array<{ at: number; kind: FaultKind; seed: number }> {
  const count = 1 + random.int(3)
  return Array.from({ length: count }, () => ({ at: random.int(7), kind: random.pick(faultKinds), seed: random.fork() }))
}
