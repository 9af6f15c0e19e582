import type { Caller, Organization, Where, World } from './world'

/** Where a record stands to its caller. */
export const situations = [
  'at home',
  "the caller's own",
  "another member's",
  'shared with the caller',
  'in the charge of the caller',
  'of another organization',
  'deleted',
  'in an expired organization',
  "the caller's own in an expired organization",
  'in a deleted organization',
  'under another record',
  'with an id that nothing has',
  'with a negative id',
  'with a huge id',
] as const
export type Situation = (typeof situations)[number]

/** The situations that each file of `test/http/permissions` proves. */
export const proved = {
  own: ['at home', "the caller's own", "another member's", 'shared with the caller', 'in the charge of the caller'],
  hidden: ['of another organization', 'deleted', 'in a deleted organization', 'under another record'],
  expired: ['in an expired organization', "the caller's own in an expired organization"],
  guessed: ['with an id that nothing has', 'with a negative id', 'with a huge id'],
} as const satisfies Readonly<Record<string, readonly Situation[]>>

/** Ids that no record has. */
const guesses: Partial<Record<Situation, number>> = {
  'with an id that nothing has': 987_654,
  'with a negative id': -3,
  'with a huge id': 999_999_999_999_999,
}

/** What a situation comes to for one caller. */
export interface Place {
  readonly situation: Situation
  readonly caller: Caller
  readonly organization: Organization
  /** Whose record it is. */
  readonly owner_id: number
  readonly isShared: boolean
  /** The caller entered it, or answers for it. */
  readonly isCharged: boolean
  readonly isDeleted: boolean
  readonly isExpired: boolean
  /** An id that is asked for instead of a record's. */
  readonly guess: number | undefined
}

/** The organization that a situation speaks of. */
export function whereOf(situation: Situation): Where {
  if (situation === 'of another organization') return 'elsewhere'
  if (situation === 'in a deleted organization') return 'deleted'
  return situation.endsWith('in an expired organization') ? 'expired' : 'home'
}

/** The place of a situation; `organization`, when given, stands for the one that it speaks of. */
export function placeOf(
  world: World,
  { situation, caller, organization }: { situation: Situation; caller: Caller; organization?: Organization },
): Place {
  const where = whereOf(situation)
  const isOwn = situation.startsWith("the caller's own") || situation === 'deleted' || situation === 'under another record'
  const other = where === 'elsewhere' ? world.others.elsewhere : world.others.here
  return {
    situation,
    caller,
    organization: organization ?? world.organizations[where],
    owner_id: isOwn ? caller.user_id : other,
    isShared: situation === 'shared with the caller',
    isCharged: situation === 'in the charge of the caller',
    isDeleted: situation === 'deleted',
    isExpired: where === 'expired',
    guess: guesses[situation],
  }
}
