import type { z } from 'zod'
import type { Action } from '#shared/domain/permissions'

/** What a filter or sort attribute holds; it says how its value is read and compared. */
export type AttributeKind = 'integer' | 'amount' | 'text' | 'instant' | 'flag'

/** What a list lets its caller filter and sort by (supplement, "Filters" and "Order"). */
export interface ListOptions {
  readonly attributes: Readonly<Record<string, AttributeKind>>
  /** What the list can be sorted by in addition to its attributes, but not filtered by. */
  readonly sortable?: Readonly<Record<string, AttributeKind>>
  /** The order where none is asked for, as `sort` says it; without it, `-created_at`: newest first. */
  readonly order?: string
  /** `search_tags` and `has_tag` are understood. */
  readonly tagged?: true
  /** `search` is understood: words anywhere in the record's texts. */
  readonly searchable?: true
  /** `queue`, `flag_conditions` and `flag_policy_ids` are understood: what policies found. */
  readonly flagged?: true
}

/** One endpoint as data: what validates requests, types the client and is published as OpenAPI. */
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
  /** Other paths that answer the same. */
  readonly aliases?: readonly string[]
  readonly params: P
  readonly query: Q
  readonly body: B
  /** Attributes that the body must have although its schema does not require them. */
  readonly demanded?: readonly string[] | ((body: Readonly<Record<string, unknown>>) => readonly string[])
  /** The body of a success; `z.null()` where it is empty. */
  readonly response: R
  /** Attributes of a success that are shown once: a repeat under the same `Idempotency-Key` gets null for them. */
  readonly secret_fields?: readonly string[]
  /** The status of a success. */
  readonly status: 200 | 201 | 204
  /** Another status of the same answer: a repeat that finds what it would have made. */
  readonly other_status?: 200
  /** The body of a refusal where it is not the usual one (contract section 7). */
  readonly refused?: Readonly<Partial<Record<422, z.ZodType>>>
  /** The media types of a request or response that is not JSON. */
  readonly media?: { readonly request?: string; readonly response?: string }
  /** A list is returned in pages; its options say how it is filtered. */
  readonly list?: ListOptions
  /** Who may: its row in the table of `#shared/domain/permissions`. */
  readonly action: Action
}

/** Declares a route; the types of its parts are inferred. */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  definition: Route<P, Q, B, R>,
): Route<P, Q, B, R> {
  return definition
}
