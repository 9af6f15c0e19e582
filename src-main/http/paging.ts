import { stringify } from 'qs'
import { z } from 'zod'
import type { Route } from '#shared/contract/route'
import { invalid } from '#shared/domain/errors'
import { type ListKey, type Page, type PageWindow, orderSteps } from '#main/store/core/list-query'
import type { Command } from './command'
import type { Facts, Input, ListRequest } from './endpoint'

/** The rows of a page plus one more, which shows whether another page follows. */
export function windowOf({ page, per_page, after }: ListRequest): PageWindow {
  return { limit: per_page + 1, offset: after ? 0 : (page - 1) * per_page, after }
}

/** A page's rows, its frame (contract 4.0) without the items, and the key of the next page. */
export interface FramedPage<R> {
  readonly rows: R[]
  readonly frame: { readonly count: number; readonly current_page: number; readonly total_pages: number }
  readonly next: ListKey | undefined
}

/** Frames the rows found for {@link windowOf} a list. `keyOf`: for lists with their own order. */
export function toPage<R extends object>(
  list: ListRequest,
  { rows: found, count }: Page<R>,
  keyOf: (row: R) => ListKey = (row) => keyIn(list, row),
): FramedPage<R> {
  const { page, per_page } = list
  const rows = found.slice(0, per_page)
  const last = found.length > per_page ? rows.at(-1) : undefined
  const frame = { count, current_page: page, total_pages: Math.ceil(count / per_page) }
  return { rows, frame, next: last && keyOf(last) }
}

/** A page of a list that is in memory. */
export function pageOfAll<R extends object>(list: ListRequest, all: readonly R[], keyOf?: (row: R) => ListKey): FramedPage<R> {
  const { limit, offset, after } = windowOf(list)
  const textOf = (row: R) => JSON.stringify(keyOf ? keyOf(row) : keyIn(list, row))
  const known = after ? all.findIndex((row) => textOf(row) === JSON.stringify(after)) : -1
  const start = known >= 0 ? known + 1 : offset
  return toPage(list, { rows: all.slice(start, start + limit), count: all.length }, keyOf)
}

const key = z.array(z.union([z.string(), z.number(), z.null()]))

function keyIn({ sort }: ListRequest, row: object): ListKey {
  const values = new Map<string, unknown>(Object.entries(row))
  return key.parse(orderSteps(sort).map(({ column }) => values.get(column)))
}

/** The longest `after` that fits into a header everywhere; sorted texts may be longer. */
const longestCursor = 3000

function toCursor(key: ListKey): string | undefined {
  const cursor = Buffer.from(JSON.stringify(key)).toString('base64url')
  return cursor.length > longestCursor ? undefined : cursor
}

/** Reads a request's `after`. Throws {@link DomainError}: 422. */
export function readCursor(text: string): ListKey {
  try {
    return key.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch {
    throw invalid('after', 'invalid')
  }
}

function isPaged(body: unknown): body is { total_pages: number; current_page: number } {
  return typeof body === 'object' && body !== null && 'total_pages' in body && 'current_page' in body
}

/**
 * A paged list's `Link` header with first, prev, next and last as they apply. `page` comes before `per_page` and the rel is an unquoted token, as an
 * existing client reads it (supplement, "Link header"). Next names its first row by `after`, so following it visits every row once, even if rows are
 * added or deleted.
 */
export function linkHeader(
  { query, sender, address = '' }: Command,
  input: Input<Route>,
  { body, next }: Pick<Facts, 'next'> & { readonly body: unknown },
): string | undefined {
  if (!isPaged(body)) return undefined
  const { total_pages: last, current_page: current } = body
  const asked: object = typeof query === 'object' && query !== null ? query : {}
  const others = Object.fromEntries(Object.entries(asked).filter(([name]) => !['page', 'per_page', 'after'].includes(name)))
  const to = (page: number, rel: string, after?: string) => {
    const rest = stringify({ ...others, after })
    return `<${sender.base_url}${address}?page=${page}&per_page=${input.list.per_page}${rest && `&${rest}`}>; rel=${rel}`
  }
  const links = [
    ...(last > 0 && current > 1 ? [to(1, 'first'), to(Math.min(current - 1, last), 'prev')] : []),
    ...(next ? [to(current + 1, 'next', toCursor(next))] : []),
    ...(current < last ? [to(last, 'last')] : []),
  ]
  return links.length > 0 ? links.join(', ') : undefined
}
