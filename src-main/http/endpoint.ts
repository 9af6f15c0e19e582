import type { z } from 'zod'
import type { ListFilter, SortStep } from '#shared/contract/filters'
import type { Route } from '#shared/contract/route'
import { DomainError } from '#shared/domain/errors'
import type { ReceivedFile } from '#main/files/blob-store'
import type { ListKey } from '#main/store/core/list-query'
import type { Reader, Tx } from '#main/store/core/store'
import type { Command, Sender } from './command'
import type { CommonDeps, ServerParts, ServerSettings } from './deps'
import type { ApiResponse } from './refusals'
import type { Router } from './requests'

/** The parsed request for a paged list. */
export interface ListRequest {
  readonly page: number
  readonly per_page: number
  readonly filter: ListFilter
  readonly sort: readonly SortStep[]
  /** The page begins after the row with this key. */
  readonly after: ListKey | undefined
}

/** A request parsed by its route: three inputs that are never merged. */
export interface Input<R extends Route> {
  readonly params: z.output<R['params']>
  readonly query: z.output<R['query']>
  readonly body: z.output<R['body']>
  readonly list: ListRequest
}

/** All parts of the server. */
export interface ServerDeps extends ServerParts {
  readonly api: Api
}
type Dep = keyof ServerDeps
/** Mutations do not get the remote: a transaction never waits for it. */
type MutationDep = Exclude<Dep, 'replica'>
/** What replaying a replica's operation needs; the remote itself does that, too. */
export type OperationDeps = Pick<ServerDeps, MutationDep>

/** Every endpoint by name, and the router for requests. */
export interface Api {
  readonly routes: readonly Route[]
  readonly router: Router
  endpointOf(route: Route): Endpoint
  /** The PATCH route of the record that a route replaces or changes; undefined if there is none. */
  patchOf(route: Route): Route | undefined
}

/** What a handler gets in addition to its input. `Needed`: the parts of the server that it uses beyond the common ones. */
export interface Context<Needed extends Dep = never> extends Sender {
  readonly reader: Reader
  readonly deps: CommonDeps & Pick<ServerDeps, Needed>
  /** The contract's own request header `ETag`, for mentionables. */
  readonly seen_etag: string | undefined
}

/** What a write's handler gets: its transaction, which is also its reader, and its command. */
export interface WriteContext<Needed extends Dep = never> extends Context<Needed> {
  readonly tx: Tx
  readonly command: Command
}

/** What a composite's handler gets. */
export interface CompositeContext<Needed extends Dep = never> extends Context<Needed> {
  readonly command: Command
  /** A uid for what the command creates. If the command runs again under its key, for example after a crash, the uid is the same. */
  readonly uid: string
  /** Runs work in one transaction that also stores its response under the command's key. */
  readonly write: (work: (tx: Tx) => Promise<ApiResponse>) => Promise<ApiResponse>
  /** The context of a write's handler inside the transaction. */
  readonly within: (tx: Tx) => WriteContext<Needed>
}

/** What handlers need that run other endpoints, such as a batch. */
export type AnyContext = Context<Dep>
export type AnyWriteContext = WriteContext<Dep>
export type AnyCompositeContext = CompositeContext<Dep>

/** A handler's result. */
export type Result<R extends Route> = Facts & (Shown<R> | ShownLater<R>)

interface Shown<R extends Route> {
  readonly body: z.input<R['response']>
  readonly later?: undefined
}

/** Makes the body on demand: not every body is read, replicas need none for pushed operations, and the caller may have it already. */
interface ShownLater<R extends Route> {
  readonly later: () => Promise<z.input<R['response']>>
}

/** A result without its body. */
export interface Facts {
  /** The record's entity tag, without quotes. */
  readonly etag?: string
  /** The caller's entity tag, if it does not come from `If-None-Match`. */
  readonly seen?: string
  readonly status?: number
  /** The key at which a list's next page begins, if there is one. */
  readonly next?: ListKey
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler<R extends Route, C> = (context: C, input: Input<R>) => Promise<Result<R>>

/** A route that writes. */
export interface Mutation {
  readonly kind: 'mutation'
  readonly route: Route
  readonly handle: Handler<Route, WriteContext<MutationDep>>
  readonly together?: Together<Route, WriteContext<MutationDep>> | undefined
}

/** Does several writes of one caller together, all or none, with the same result as one by one. */
export type Together<R extends Route, C> = (writes: ReadonlyArray<{ readonly context: C; readonly input: Input<R> }>) => Promise<void>

/** A route with the code that handles it. */
export type Endpoint =
  | { readonly kind: 'query'; readonly route: Route; readonly handle: Handler<Route, AnyContext> }
  | Mutation
  /** Without a transaction or with several, such as a batch. */
  | {
      readonly kind: 'composite'
      readonly route: Route
      readonly handle: Composite<Route, AnyCompositeContext>
      readonly takes?: ContentLimits
    }

/** The limits of a route that takes bytes, and its error codes. */
export interface ContentLimits {
  readonly most: (settings: ServerSettings) => number
  readonly tooLarge: string
  readonly noRoom?: string
}

type Composite<R extends Route, C> = (context: C, input: Input<R>) => Promise<ApiResponse>

/** The body of a result. */
export function bodyOf<R extends Route>(result: Result<R>): Promise<z.input<R['response']>> {
  return result.later ? result.later() : Promise.resolve(result.body)
}

/** Defines a route that only reads. */
export function query<R extends Route, D extends Dep = never>(route: R, handle: Handler<R, Context<D>>): Endpoint {
  return { kind: 'query', route, handle }
}

/** Defines a route that writes: it runs in one transaction, and a failure changes nothing. */
export function mutation<R extends Route, D extends MutationDep = never>(
  route: R,
  handle: Handler<R, WriteContext<D>>,
  { together }: { together?: Together<R, WriteContext<D>> } = {},
): Endpoint {
  return { kind: 'mutation', route, handle, together }
}

/** Defines a route with several transactions or none. */
export function composite<R extends Route, D extends Dep = never>(route: R, handle: Composite<R, CompositeContext<D>>): Endpoint {
  return { kind: 'composite', route, handle }
}

/** Defines a route that takes a file: it is on disk while the handler runs, and discarded afterwards. */
export function taking<R extends Route, D extends Dep = never>(
  route: R,
  takes: ContentLimits,
  handle: Composite<R, CompositeContext<D> & { readonly file: ReceivedFile }>,
): Endpoint {
  const take = async (context: CompositeContext<D>, input: Input<R>) => {
    const file = context.command.received?.file
    if (file) return handle({ ...context, file }, input)
    const params = { megabytes: Math.floor(takes.most(context.deps.settings) / 1024 / 1024) }
    throw new DomainError({ kind: 'not_possible', code: takes.tooLarge, params })
  }
  return { kind: 'composite', route, handle: take, takes }
}

/** A command's context for its handler. */
export function contextOf<D extends OperationDeps>(deps: D, { sender, seen }: Command) {
  return { ...sender, reader: deps.store.reader, deps, seen_etag: seen?.etag }
}

/** A command's context inside a transaction. */
export function contextWithin<D extends OperationDeps>(deps: D, command: Command, tx: Tx) {
  return { ...contextOf(deps, command), reader: tx, tx, command }
}
