import { z } from 'zod'
import type { Action } from '#shared/domain/permissions'
import { flag } from './fields'
import { listQuery, pathId } from './requests'
import type { ListOptions } from './route'

/** Records with comments, participants, mentionables and activities under them (contract 4.8, 4.9, 4.12). */
export const parentKinds = ['expense', 'advancement', 'reimbursement'] as const
export type ParentKind = (typeof parentKinds)[number]

/** Where parents of a kind are found. */
export const parentPaths = {
  expense: '/expenses',
  advancement: '/advancements',
  reimbursement: '/reimbursements',
} as const satisfies Record<ParentKind, string>

/** Anyone who may read a parent reads the records under it, and comments on it. */
export const parentActions = {
  expense: 'expenses.read',
  advancement: 'advancements.read',
  reimbursement: 'reimbursements.read',
} as const satisfies Record<ParentKind, Action>

/** What people call a parent of a kind, with its article, in the summaries of routes. */
export const parentWords = {
  expense: 'an expense',
  advancement: 'an advancement',
  reimbursement: 'a reimbursement',
} as const satisfies Record<ParentKind, string>

/** The parent's id, named `<kind>_id` in the path. */
export function parentParams(kind: ParentKind) {
  return z.object({ [`${kind}_id`]: pathId }).transform((params) => ({ parent_id: params[`${kind}_id`] ?? 0 }))
}

/** The ids of the parent and of the record under it. */
export function parentMemberParams(kind: ParentKind) {
  return z
    .object({ [`${kind}_id`]: pathId, id: pathId })
    .transform((params) => ({ parent_id: params[`${kind}_id`] ?? 0, id: params.id ?? 0 }))
}

/** Emojis appear as text codes such as `:smile:` unless this is true (contract 4.2, 4.8). */
export const emojiQuery = z.object({ emoji_in_unicode: flag.optional() })
/** The same, on a paged list. */
export const emojiPageQuery = listQuery.extend(emojiQuery.shape)
/** A list that nothing filters and that keeps its order, newest first: what `q` or `sort` ask of it is refused. */
export const unfiltered = { attributes: {} } as const satisfies ListOptions

/** Something for each kind of parent, such as its routes. */
export function perParentKind<T>(make: (kind: ParentKind) => T): Readonly<Record<ParentKind, T>> {
  return { expense: make('expense'), advancement: make('advancement'), reimbursement: make('reimbursement') }
}
