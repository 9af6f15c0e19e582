import { DomainError } from '#shared/domain/errors'
import { isOpen, may, type Relation } from '#shared/domain/permissions'
import { type Scope, type ScopedRoute, type Scopes, hasScope, neededScope, scopeForOthers } from '#shared/domain/doors/scopes'
import type { Language } from '#shared/domain/locales'
import type { Caller, Command } from './command'
import { namesOther } from './named-in-requests'
import { type ApiResponse, toApiResponse } from './refusals'

/** The error for a scope that the caller's token lacks. */
export function missingScope(scope: Scope): DomainError {
  return new DomainError({ kind: 'forbidden', code: 'missing_scope', params: { scope } })
}

/** Throws {@link DomainError} if the token lacks the route's scope, whatever the record. */
export function assertScope(scopes: Scopes, route: ScopedRoute, body?: unknown): void {
  if (scopes === null || isOpen(route.action)) return
  const needed = neededScope(route, body)
  if (!hasScope(scopes, needed)) throw missingScope(needed)
}

/** The error of {@link assertScope} as a response, for routes outside the pipeline. */
export function scopeRefusal(scopes: Scopes, route: ScopedRoute, locale: Language): ApiResponse | undefined {
  try {
    assertScope(scopes, route)
    return undefined
  } catch (error) {
    if (error instanceof DomainError) return toApiResponse(error, locale)
    throw error
  }
}

/** Whether the scope depends on the records of a request. */
export function isForOwnOnly({ route, sender: { caller } }: Command): boolean {
  const others = scopeForOthers(route)
  return others !== undefined && !hasScope(caller.scopes, others)
}

/** Throws {@link DomainError} if a token that may only write its user's own records relies on the user's role, or the body names someone else. */
export function assertOwn(command: Command, relation: Relation): void {
  const { route, body, sender } = command
  const others = scopeForOthers(route)
  if (others === undefined || !isForOwnOnly(command)) return
  const role = relation.role === undefined ? undefined : 'member'
  if (!may(route.action, { ...relation, role }) || namesOther(body, sender.caller.user_id)) throw missingScope(others)
}

/** Throws {@link DomainError} if the caller's token has scopes or an end: a credential that they create would have neither. */
export function assertUnlimited({ scopes, token_ends_at }: Pick<Caller, 'scopes' | 'token_ends_at'>): void {
  if (scopes !== null || token_ends_at !== null) throw new DomainError({ kind: 'forbidden', code: 'limited_token' })
}
