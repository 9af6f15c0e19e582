import type { Route } from '#shared/contract/route'
import { isOpen, may } from '#shared/domain/permissions'
import type { CallFixture } from './call-fixture'
import type { Place, Situation } from './places'

const nowhere: readonly Situation[] = ['in a deleted organization', 'under another record']

/** Whether a route changes what an expired organization keeps as it is. */
function isWrite({ method }: Route): boolean {
  return method !== 'GET'
}

/** The status that the table and the order of refusal promise: 401, then 404, 402, 403 (supplement 1 and 3), else success. */
export function expectedStatus(route: Route, fixture: CallFixture, place: Place): number {
  const { action } = route
  const success = (typeof fixture.answers === 'function' ? fixture.answers(place) : fixture.answers) ?? route.status
  if (isOpen(action)) return success
  if (place.caller.name === 'nobody') return 401
  const { on } = fixture
  const hidden = on.hidden ?? 404
  if (on.isList) return success
  const isThere = place.guess === undefined && !nowhere.includes(place.situation)
  const isKnown = on.isManaged ? place.situation !== 'in a deleted organization' : isThere
  if (!isKnown || !on.isSeen(place)) return hidden
  if (place.isDeleted && !on.isManaged) return on.deleted ?? 404
  if (isWrite(route) && place.isExpired && fixture.whenExpired !== 'allowed') return 402
  if (!may(action, on.relationOf(place)) || fixture.may?.(place) === false) return 403
  return isThere && !place.isDeleted ? success : 404
}
