import { z } from 'zod'
import type { Action } from '#shared/domain/permissions'
import { flag } from './fields'
import { listQuery, pathId } from './requests'
import type { ListOptions } from './route'

/** Records that have comments, participants, mentionables and activities (contract 4.8, 4.9, 4.12). */
export const followableKinds = ['expense', 'advancement', 'reimbursement'] as const
export type FollowableKind = (typeof followableKinds)[number]

/** The paths of each kind of followable record. */
export const followablePaths = {
  expense: '/expenses',
  advancement: '/advancements',
  reimbursement: '/reimbursements',
} as const satisfies Record<FollowableKind, string>

/** Who may read a followable record may also read the records under it, and comment on it. */
export const followableActions = {
  expense: 'expenses.read',
  advancement: 'advancements.read',
  reimbursement: 'reimbursements.read',
} as const satisfies Record<FollowableKind, Action>

/** The name of each kind of followable record, with its article, for summaries of routes. */
export const followableWords = {
  expense: 'an expense',
  advancement: 'an advancement',
  reimbursement: 'a reimbursement',
} as const satisfies Record<FollowableKind, string>

/** The followable record's id, named `<kind>_id` in the path. */
export function followableParams(kind: FollowableKind) {
  return z.object({ [`${kind}_id`]: pathId }).transform((params) => ({ followable_id: params[`${kind}_id`] ?? 0 }))
}

/** The ids of the followable record and of the record under it. */
export function followableMemberParams(kind: FollowableKind) {
  return z
    .object({ [`${kind}_id`]: pathId, id: pathId })
    .transform((params) => ({ followable_id: params[`${kind}_id`] ?? 0, id: params.id ?? 0 }))
}

/** Emojis appear as text codes such as `:smile:` unless this is set (contract 4.2, 4.8). */
export const emojiQuery = z.object({ emoji_in_unicode: flag.optional() })
/** {@link emojiQuery} for a paged list. */
export const emojiPageQuery = listQuery.extend(emojiQuery.shape)
/** A list without filters, always newest first: `q` and `sort` are errors. */
export const unfiltered = { attributes: {} } as const satisfies ListOptions

/** Makes something for each kind of followable record, such as its routes. */
export function perFollowableKind<T>(make: (kind: FollowableKind) => T): Readonly<Record<FollowableKind, T>> {
  return { expense: make('expense'), advancement: make('advancement'), reimbursement: make('reimbursement') }
}
