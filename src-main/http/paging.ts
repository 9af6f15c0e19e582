import { stringify } from 'qs'
import type { Route } from '#shared/contract/route'
import type { Input, ListRequest } from './endpoint'
import type { Call } from './pipeline'

/** The first row and the number of rows that a page stands for. */
export function windowOf({ page, per_page }: ListRequest): { limit: number; offset: number } {
  return { limit: per_page, offset: (page - 1) * per_page }
}

/** The frame of a paged list (contract 4.0); the caller adds the items. */
export function pageFrame({ page, per_page }: ListRequest, count: number) {
  return { count, current_page: page, total_pages: Math.ceil(count / per_page) }
}

function isPaged(body: unknown): body is { total_pages: number; current_page: number } {
  return typeof body === 'object' && body !== null && 'total_pages' in body && 'current_page' in body
}

/**
 * The `Link` header of a paged list, first, prev, next, last as they apply; `page` stands before `per_page` and the rel is
 * an unquoted token, as an existing client reads it (supplement, "Link header").
 */
export function linkHeader({ call, input, body }: { call: Call; input: Input<Route>; body: unknown }): string | undefined {
  if (!isPaged(body)) return undefined
  const { total_pages: last, current_page: current } = body
  const {
    page: _page,
    per_page: _perPage,
    ...rest
  } = typeof call.query === 'object' && call.query !== null ? { ...call.query, page: 0, per_page: 0 } : { page: 0, per_page: 0 }
  const others = stringify(rest)
  const to = (page: number, rel: string) =>
    `<${call.base_url}${call.path}?page=${page}&per_page=${input.list.per_page}${others && `&${others}`}>; rel=${rel}`
  const links = [
    ...(last > 0 && current > 1 ? [to(1, 'first'), to(Math.min(current - 1, last), 'prev')] : []),
    ...(current < last ? [to(current + 1, 'next'), to(last, 'last')] : []),
  ]
  return links.length > 0 ? links.join(', ') : undefined
}
