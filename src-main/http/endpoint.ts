import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { ListFilter, SortStep } from '#shared/contract/filters'
import type { Route } from '#shared/contract/route'
import type { Language } from '#shared/domain/locales'
import type { ListKey } from '#main/store/core/list-query'
import type { Minter, Reader, Tx } from '#main/store/core/store'
import type { ServerParts } from './deps'
import type { ApiResponse } from './refusals'

/** Who asks: the authenticated user. */
export interface Caller {
  readonly user_id: number
  readonly locale: Language | null
  /** How they came in: with a token, by the browser's session, or as the local user of the desktop. */
  readonly way: 'token' | 'session' | 'local'
  /** The session's hash, when there is one, so that it can be ended. */
  readonly session_hash: string | null
}

/** The three inputs of a request as they arrived. */
export interface RawInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** What a paged list was asked for, parsed. */
export interface ListRequest {
  readonly page: number
  readonly per_page: number
  readonly filter: ListFilter
  readonly sort: readonly SortStep[]
  /** Where the page begins: after the row with this key. */
  readonly after: ListKey | undefined
}

/** A request, parsed by its route: three inputs that are never merged. */
export interface Input<R extends Route> {
  readonly params: z.output<R['params']>
  readonly query: z.output<R['query']>
  readonly body: z.output<R['body']>
  readonly list: ListRequest
}

/** One request to one endpoint, from the network, from a batch or from the desktop. */
export interface Call extends RawInput {
  readonly endpoint: Endpoint
  readonly caller: Caller
  readonly headers: CallHeaders
  /** What was sent, where the route takes no JSON: it is read as it comes. */
  readonly content?: Readable
  /** How many bytes were announced with it. */
  readonly content_bytes?: number
  /** The address that was asked for, without its query string; page links are made from it. */
  readonly path: string
  readonly base_url: string
  readonly request_id: string
  /** The network address that the request came from. */
  readonly source: string
  /** The way in, for the audit trail. */
  readonly origin: 'api' | 'app' | 'batch' | 'sync'
  /** The operation of a replica that this carries out, and the identities it minted. */
  readonly operation?: { readonly op_id: string; readonly minter: Minter }
}

/** The request headers that mean something to the API. */
export interface CallHeaders {
  readonly if_match?: string
  readonly if_none_match?: string
  /** The contract's own `ETag` request header (4.9). */
  readonly etag?: string
  readonly idempotency_key?: string
  readonly accept_language?: string
}

/** What the server is put together from. */
export interface ServerDeps extends ServerParts {
  readonly replica: ReplicaHooks
}

/** What is different where this instance is a replica. */
export interface ReplicaHooks {
  /** The same request with the ids that records have now. */
  localize(call: Call): Promise<Call>
  /** The remote's answer to what only it can do; undefined where it is done here. */
  forward(call: Call): Promise<ApiResponse | undefined>
  /** Carries out a write, and journals it for the remote. */
  write(call: Call, tx: Tx, run: (tx: Tx) => Promise<Result<Route>>): Promise<Result<Route>>
  /** Fetches a file that is not here yet; answers whether it is now. */
  fetchBlob(sha256: string): Promise<boolean>
  /** Sees to it that the receipts of an expense are listed here, as far as the remote can be reached now. */
  fetchReceipts(expense: Pick<Row<'expenses'>, 'id' | 'attachments_count'>): Promise<void>
}

/** What a handler sees in addition to its input. */
export interface Context {
  readonly reader: Reader
  readonly deps: ServerDeps
  readonly caller: Caller
  readonly locale: Language
  /** The contract's own request header `ETag`, for mentionables. */
  readonly seen_etag: string | undefined
  /** {scheme}://{host} by which the caller reached us: absolute addresses in answers begin with it. */
  readonly base_url: string
  readonly request_id: string
  /** The network address that the request came from. */
  readonly request_source: string
}

/** What the handler of a write sees: its transaction, which is its reader too. */
export interface WriteContext extends Context {
  readonly tx: Tx
}

/** What a handler answers. */
export type Result<R extends Route> = Facts & (Shown<R> | ShownLater<R>)

interface Shown<R extends Route> {
  readonly body: z.input<R['response']>
  readonly later?: undefined
}

/** How the body is made: not every answer is read, a replica needs none to what it pushes, and a reader may have it already. */
interface ShownLater<R extends Route> {
  readonly later: () => Promise<z.input<R['response']>>
}

/** The parts of a result in addition to its body. */
export interface Facts {
  /** The record's entity tag, unquoted. */
  readonly etag?: string
  /** An entity tag that the caller has, named otherwise than by `If-None-Match`. */
  readonly seen?: string
  readonly status?: number
  /** Of a page: where the next one begins, when there is one. */
  readonly next?: ListKey
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler<R extends Route, C extends Context> = (context: C, input: Input<R>) => Promise<Result<R>>

/** A route with the code that answers it. */
export type Endpoint =
  | { readonly kind: 'query'; readonly route: Route; readonly handle: Handler<Route, Context> }
  | { readonly kind: 'mutation'; readonly route: Route; readonly handle: Handler<Route, WriteContext> }
  /** It has separate transactions: a batch. */
  | { readonly kind: 'composite'; readonly route: Route; readonly answer: (deps: ServerDeps, call: Call) => Promise<ApiResponse> }

/** The body of a result. */
export function bodyOf<R extends Route>(result: Result<R>): Promise<z.input<R['response']>> {
  return result.later ? result.later() : Promise.resolve(result.body)
}

/** A route that only reads. */
export function query<R extends Route>(route: R, handle: Handler<R, Context>): Endpoint {
  return { kind: 'query', route, handle }
}

/** A route that writes: it runs inside one transaction, and its failure changes nothing. */
export function mutation<R extends Route>(route: R, handle: Handler<R, WriteContext>): Endpoint {
  return { kind: 'mutation', route, handle }
}
