/** The states of pre-expenses in lists (contract 3.3); a deleted one has none. */
export const preExpenseStates = ['waiting_approval', 'ignored', 'converted'] as const
export type PreExpenseState = (typeof preExpenseStates)[number]

/** The moves of a pre-expense. */
export type PreExpenseMove = 'ignore' | 'restore' | 'convert'

/** The result of a move, or why there is none. */
export type PreExpenseOutcome =
  | { readonly kind: 'moved'; readonly state: PreExpenseState }
  /** It is in that state already; repeating the move does no harm. */
  | { readonly kind: 'unchanged' }
  /** Nobody could make this move now. */
  | { readonly kind: 'not_possible'; readonly because: 'converted' | 'ignored' }

/** The state from two instants: conversion is final, so it takes precedence. */
export function preExpenseStateOf(instants: { ignored_at: string | null; converted_at: string | null }): PreExpenseState {
  if (instants.converted_at !== null) return 'converted'
  return instants.ignored_at === null ? 'waiting_approval' : 'ignored'
}

/** Decides a move: an ignored pre-expense must be restored before it is converted, and conversion is final. Contract 3.3; supplement 3, "Convert". */
export function decidePreExpenseMove(state: PreExpenseState, move: PreExpenseMove): PreExpenseOutcome {
  if (state === 'converted') return { kind: 'not_possible', because: 'converted' }
  if (move === 'convert') return state === 'ignored' ? { kind: 'not_possible', because: 'ignored' } : { kind: 'moved', state: 'converted' }
  const target = move === 'ignore' ? 'ignored' : 'waiting_approval'
  return target === state ? { kind: 'unchanged' } : { kind: 'moved', state: target }
}

/** Whether it is complete enough to be converted unchanged (contract 2.14, `status`). */
export function isPreExpenseComplete(known: { amount: number | null; currency: string | null; occurred_at: string | null }): boolean {
  return known.amount !== null && known.currency !== null && known.occurred_at !== null
}
