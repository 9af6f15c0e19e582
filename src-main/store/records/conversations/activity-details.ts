import type { ActivityAttribute } from '#shared/domain/activity-events'
import type { ActivityDetail } from './activity-writer'

/** Old and new value of each of these attributes that differs, for the audit trail. */
export function toActivityDetails<R extends object, K extends keyof R & ActivityAttribute>(
  before: R,
  after: R,
  attributes: readonly K[],
): ActivityDetail[] {
  return attributes
    .filter((attribute) => before[attribute] !== after[attribute])
    .map((attribute) => ({ attribute, from: toPlain(before[attribute]), to: toPlain(after[attribute]) }))
}

function toPlain(value: unknown): ActivityDetail['from'] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
