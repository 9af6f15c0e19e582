import { type ListFilter, parseFilter, parseSort } from '#shared/contract/filters'
import type { z } from 'zod'
import { listQuery } from '#shared/contract/requests'
import type { Route } from '#shared/contract/route'
import { type FieldError, type FieldErrors, DomainError, invalid, notFound } from '#shared/domain/errors'
import { orderSteps } from '#main/store/core/list-query'
import type { Asked } from './command'
import type { Input, ListRequest } from './endpoint'
import { readCursor } from './paging'
import { toFieldErrors } from './refusals'

/** A request body that is JSON but not an object (400). */
export class NotAnObject extends Error {}

const maxPerPage = 100
const defaultPerPage = 30
const noFilter: ListFilter = { conditions: [], search_tags: '', has_tag: undefined, search: undefined }

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Turns the plain integers `payer_id` and `receiver_id` into references (supplement, "Party reference"). */
function withPartyReferences(body: Record<string, unknown>): Record<string, unknown> {
  const { payer_id, receiver_id } = body
  const named = { ...body }
  if (payer_id !== undefined && body.payer === undefined) named.payer = { id: payer_id, type: 'Organization' }
  if (receiver_id !== undefined && body.receiver === undefined) named.receiver = { id: receiver_id, type: 'User' }
  return named
}

function assertObject(raw: unknown): asserts raw is Record<string, unknown> | null | undefined {
  if (raw !== undefined && raw !== null && !isObject(raw)) throw new NotAnObject()
}

/**
 * Parses a value by its schema. A value that makes the schema throw is invalid: length rules also see objects, whose `length` may not be comparable.
 */
export function readBy<S extends z.ZodType>(
  schema: S,
  raw: unknown,
): { readonly success: true; readonly data: z.output<S> } | { readonly success: false; readonly fields: FieldErrors } {
  try {
    const parsed = schema.safeParse(raw)
    return parsed.success ? parsed : { success: false, fields: toFieldErrors(parsed.error) }
  } catch {
    const attributes = isObject(raw) ? Object.keys(raw).filter((name) => throwsOn(schema, { [name]: raw[name] })) : []
    const names = attributes.length > 0 ? attributes : ['message']
    return { success: false, fields: Object.fromEntries(names.map((name) => [name, [{ code: 'invalid' }]])) }
  }
}

function throwsOn(schema: z.ZodType, raw: unknown): boolean {
  try {
    schema.safeParse(raw)
    return false
  } catch {
    return true
  }
}

function parseBody(route: Route, raw: Record<string, unknown> | null | undefined): unknown {
  const body = withPartyReferences(raw ?? {})
  const parsed = readBy(route.body, body)
  const demanded = typeof route.demanded === 'function' ? route.demanded(body) : (route.demanded ?? [])
  const missing = demanded.filter((attribute) => body[attribute] === undefined)
  if (parsed.success && missing.length === 0) return parsed.data
  const fields = parsed.success ? {} : parsed.fields
  const blank: readonly FieldError[] = [{ code: 'blank' }]
  throw new DomainError({ kind: 'invalid', fields: { ...fields, ...Object.fromEntries(missing.map((name) => [name, blank])) } })
}

function parseList(route: Route, query: unknown): ListRequest {
  // A route without pages ignores these parameters.
  const parsedQuery = readBy(listQuery, query)
  const asked: z.output<typeof listQuery> = parsedQuery.success ? parsedQuery.data : {}
  const after = asked.after === undefined ? undefined : readCursor(asked.after)
  const page = { page: asked.page ?? 1, per_page: Math.min(asked.per_page ?? defaultPerPage, maxPerPage), after }
  if (!route.list) return { ...page, filter: noFilter, sort: [] }
  const sort = parseSort(route.list, asked.sort)
  if (!sort) throw invalid('sort', 'sort')
  if (after && after.length !== orderSteps(sort).length) throw invalid('after', 'invalid')
  const parsed = parseFilter(route.list, asked.q ?? {})
  if (parsed.kind === 'invalid') throw new DomainError({ kind: 'invalid', fields: { q: parsed.errors } })
  return { ...page, filter: parsed.filter, sort }
}

/** Merges a GET's query parameters with its body, which wins (supplement, "JSON body on GET"). */
function mergedQuery({ query, body, route }: Asked): unknown {
  if (route.method !== 'GET' || !isObject(query) || !isObject(body)) return query
  const q = isObject(query.q) && isObject(body.q) ? { q: { ...query.q, ...body.q } } : {}
  return { ...query, ...body, ...q }
}

/**
 * Parses a request by its route. Throws {@link DomainError}: 404 for a path without a valid id, 422 otherwise. Throws {@link NotAnObject} for a body
 * of another kind.
 */
export function parseInput(asked: Asked): Input<Route> {
  const { route } = asked
  const params = readBy(route.params, asked.params)
  if (!params.success) throw notFound()
  assertObject(asked.body)
  const isRaw = route.method === 'GET' || route.method === 'DELETE' || route.media?.request !== undefined
  const body = isRaw ? asked.body : parseBody(route, asked.body)
  const query = readBy(route.query, mergedQuery(asked))
  if (!query.success) throw new DomainError({ kind: 'invalid', fields: query.fields })
  return { params: params.data, query: query.data, body, list: parseList(route, query.data) }
}
