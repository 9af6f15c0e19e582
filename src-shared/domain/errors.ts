import type { Flag } from '#shared/domain/policies'

/**
 * One error of an attribute: a code that the message catalogue words in every language, and the values of its placeholders. `found`: what a
 * policy found, which the text says as `{{finding}}`.
 */
export interface FieldError {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
  readonly found?: Flag
}

/** The errors, by the contract's name of the attribute (section 7). */
export type FieldErrors = Readonly<Record<string, readonly FieldError[]>>

/** Why the domain refuses something. One place turns each into an HTTP answer (contract section 7, supplement section 1). */
export type Refusal =
  /** No such record, or one that the caller may not see: the response does not say which. `webhook` has a separate text. */
  | { readonly kind: 'not_found'; readonly resource?: 'webhook' }
  /** The caller may see the record but not do this; someone else could. `code` names a text that says why. */
  | { readonly kind: 'forbidden'; readonly code?: string; readonly params?: FieldError['params'] }
  /** Attributes that cannot be stored. */
  | { readonly kind: 'invalid'; readonly fields: FieldErrors }
  /** Something nobody could do to this record now; `code` names the text. */
  | { readonly kind: 'not_possible'; readonly code: string; readonly params?: FieldError['params']; readonly shape?: 'error' }
  /** The organization is read-only until renewed. */
  | { readonly kind: 'expired_organization' }
  /** The expenses of an accountability are fixed once it is in review. */
  | { readonly kind: 'accountability_not_opened' }
  /** The record has changed since the caller saw it; `change`: what, and by whom last, where that is known. */
  | { readonly kind: 'stale'; readonly change?: StaleChange }
  /** Too many failed sign-ins from this source. */
  | { readonly kind: 'throttled' }
  /** What it belonged to is deleted. */
  | { readonly kind: 'gone' }

/** What has changed since the caller saw a record. `by`: the person's name; `attributes`: as the audit trail names them. */
export interface StaleChange {
  readonly by: string | null
  readonly is_own: boolean
  readonly attributes: readonly string[]
}

/** Thrown by use cases; its transaction leaves no trace. */
export class DomainError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.kind)
  }
}

/** Refuses one attribute with one code. */
export function invalid(attribute: string, code: string, params?: FieldError['params']): DomainError {
  return new DomainError({ kind: 'invalid', fields: { [attribute]: [params ? { code, params } : { code }] } })
}

/** Refuses a record that is absent or hidden. */
export function notFound(): DomainError {
  return new DomainError({ kind: 'not_found' })
}

/** Refuses what another role could do; `code` names a text that says why. */
export function forbidden(code?: string): DomainError {
  return new DomainError({ kind: 'forbidden', code })
}
