import type { z } from 'zod'
import type { Action } from '#shared/domain/permissions'

/** The kind of a filter or sort attribute: decides how its values are parsed and compared. */
export type AttributeKind = 'integer' | 'amount' | 'text' | 'instant' | 'flag'

/** A list's filters and sort orders (supplement, "Filters" and "Order"). */
export interface ListOptions {
  readonly attributes: Readonly<Record<string, AttributeKind>>
  /** Sort attributes that are not filters. */
  readonly sortable?: Readonly<Record<string, AttributeKind>>
  /** The default order in the form of `sort`; absent: `-created_at`, newest first. */
  readonly order?: string
  /** Accepts `search_tags` and `has_tag`. */
  readonly tagged?: true
  /** Accepts `search`: words anywhere in the record's texts. */
  readonly searchable?: true
  /** Accepts `queue`, `flag_conditions` and `flag_policy_ids`: filters by finding. */
  readonly flagged?: true
}

/** An endpoint as data, used to validate requests, to type the client and for OpenAPI. */
export interface Route<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  /** `<resource>.<verb>`; the operation id in OpenAPI. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to {base_url}; parameters as `:name`. */
  readonly path: string
  readonly summary: string
  /** Other paths with the same responses. */
  readonly aliases?: readonly string[]
  readonly params: P
  readonly query: Q
  readonly body: B
  /** Attributes that the body must have although its schema does not require them. */
  readonly demanded?: readonly string[] | ((body: Readonly<Record<string, unknown>>) => readonly string[])
  /** The body of a success; `z.null()` if it is empty. */
  readonly response: R
  /** Attributes of a success that are shown once: a repeat with the same `Idempotency-Key` gets null for them. */
  readonly secret_fields?: readonly string[]
  readonly status: 200 | 201 | 204
  /** Another success status: a repeat that finds what it would have created. */
  readonly other_status?: 200
  /** The body of an error, if it is not the usual one (contract section 7). */
  readonly refused?: Readonly<Partial<Record<422, z.ZodType>>>
  /** The media types of a request or response without JSON. */
  readonly media?: { readonly request?: string; readonly response?: string }
  /** The filters and order of a list that is returned in pages. */
  readonly list?: ListOptions
  /** The action in the table of `#shared/domain/permissions`. */
  readonly action: Action
}

/** Declares a route; the types of its parts are inferred. */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  definition: Route<P, Q, B, R>,
): Route<P, Q, B, R> {
  return definition
}
