import {
  type AccountabilityRelation,
  accountabilityStatuses,
  type AccountabilityStatus,
  offeredAccountabilityStatuses,
} from '#shared/domain/accountability-status'

/** The step onwards and the step back that are offered from a state; each is at most one. */
export type Steps = { readonly forward: AccountabilityStatus | undefined; readonly back: AccountabilityStatus | undefined }

/** The steps that a person with this relation may take. */
export function stepsOf(accountability: { status: AccountabilityStatus }, relation: AccountabilityRelation): Steps {
  const place = accountabilityStatuses.indexOf(accountability.status)
  const offered = offeredAccountabilityStatuses(accountability, relation)
  return {
    forward: offered.find((status) => accountabilityStatuses.indexOf(status) > place),
    back: offered.find((status) => accountabilityStatuses.indexOf(status) < place),
  }
}

/** Whether the move can be taken back by the one who made it. */
export function canReturn(
  { from, to }: { from: AccountabilityStatus; to: AccountabilityStatus },
  relation: AccountabilityRelation,
): boolean {
  return offeredAccountabilityStatuses({ status: to }, relation).includes(from)
}
