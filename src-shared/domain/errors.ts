import type { Flag } from '#shared/domain/policies'

/**
 * An error of an attribute: a code with a text in every language, and the values of its placeholders. `found`: a policy's finding, shown in the text
 * as `{{finding}}`.
 */
export interface FieldError {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
  readonly found?: Flag
}

/** Errors by the contract's names of attributes (section 7). */
export type FieldErrors = Readonly<Record<string, readonly FieldError[]>>

/** The domain errors. One place turns each into an HTTP response (contract section 7, supplement section 1). */
export type Refusal =
  /** The record does not exist, or the caller may not see it: the response does not say which. `webhook` has a separate text. */
  | { readonly kind: 'not_found'; readonly resource?: 'webhook' }
  /** The caller may see the record but not do this; someone else could. `code` names a text with the reason. */
  | { readonly kind: 'forbidden'; readonly code?: string; readonly params?: FieldError['params'] }
  /** Attributes have invalid values. */
  | { readonly kind: 'invalid'; readonly fields: FieldErrors }
  /** Nobody could do this with the record now; `code` names the text. */
  | { readonly kind: 'not_possible'; readonly code: string; readonly params?: FieldError['params']; readonly shape?: 'error' }
  /** The organization is read-only until renewed. */
  | { readonly kind: 'expired_organization' }
  /** The expenses of an accountability are fixed once it is in review. */
  | { readonly kind: 'accountability_not_opened' }
  /** The record has changed since the caller saw it. `change`: what changed and who changed it last, if known. */
  | { readonly kind: 'stale'; readonly change?: StaleChange }
  /** Too many failed sign-ins from this source. */
  | { readonly kind: 'throttled' }
  /** Its parent was deleted. */
  | { readonly kind: 'gone' }

/** What has changed since the caller saw a record. `by`: the person's name; `attributes`: the audit trail's names. */
export interface StaleChange {
  readonly by: string | null
  readonly is_own: boolean
  readonly attributes: readonly string[]
}

/** Thrown by use cases; the transaction is rolled back. */
export class DomainError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.kind)
  }
}

/** The error of one attribute with one code. */
export function invalid(attribute: string, code: string, params?: FieldError['params']): DomainError {
  return new DomainError({ kind: 'invalid', fields: { [attribute]: [params ? { code, params } : { code }] } })
}

/** The error for a missing or hidden record. */
export function notFound(): DomainError {
  return new DomainError({ kind: 'not_found' })
}

/** The error for what another role could do; `code` names a text with the reason. */
export function forbidden(code?: string): DomainError {
  return new DomainError({ kind: 'forbidden', code })
}
