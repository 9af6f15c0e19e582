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

/** What the server is put together from. */
export interface ServerDeps extends ServerParts {
  readonly api: Api
}
type Dep = keyof ServerDeps
/** Handlers of mutations do not get the remote: a transaction never waits for it. */
type MutationDep = Exclude<Dep, 'replica'>
/** What an operation of a replica can be carried out with again: the remote itself does that, too. */
export type OperationDeps = Pick<ServerDeps, MutationDep>

/** Every endpoint by its name, and the requests that lead to it. */
export interface Api {
  readonly routes: readonly Route[]
  readonly router: Router
  endpointOf(route: Route): Endpoint
  /** The route that changes only what is named, of the record that a route replaces or changes; undefined where there is none. */
  patchOf(route: Route): Route | undefined
}

/** What a handler sees in addition to its input. `Needed`: the parts of the server that it uses in addition to the common ones. */
export interface Context<Needed extends Dep = never> extends Sender {
  readonly reader: Reader
  readonly deps: CommonDeps & Pick<ServerDeps, Needed>
  /** The contract's own request header `ETag`, for mentionables. */
  readonly seen_etag: string | undefined
}

/** What the handler of a write sees: its transaction, which is its reader too, and the command that it carries out. */
export interface WriteContext<Needed extends Dep = never> extends Context<Needed> {
  readonly tx: Tx
  readonly command: Command
}

/** What the handler of a composite sees. */
export interface CompositeContext<Needed extends Dep = never> extends Context<Needed> {
  readonly command: Command
  /** An identity for what the command makes: a repeat under its key that runs again, after a crash say, has the same. */
  readonly uid: string
  /** Runs the work in one transaction, in which its response is stored under the command's key. */
  readonly write: (work: (tx: Tx) => Promise<ApiResponse>) => Promise<ApiResponse>
  /** What the handler of a write sees inside the transaction. */
  readonly within: (tx: Tx) => WriteContext<Needed>
}

/** What a handler needs that runs other endpoints, such as a batch. */
export type AnyContext = Context<Dep>
export type AnyWriteContext = WriteContext<Dep>
export type AnyCompositeContext = CompositeContext<Dep>

/** What a handler returns. */
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

export type Handler<R extends Route, C> = (context: C, input: Input<R>) => Promise<Result<R>>

/** A route that writes. */
export interface Mutation {
  readonly kind: 'mutation'
  readonly route: Route
  readonly handle: Handler<Route, WriteContext<MutationDep>>
  readonly together?: Together<Route, WriteContext<MutationDep>> | undefined
}

/** Does several writes of one caller at once, all or none, as if they were done one by one. */
export type Together<R extends Route, C> = (writes: ReadonlyArray<{ readonly context: C; readonly input: Input<R> }>) => Promise<void>

/** A route with the code that handles it. */
export type Endpoint =
  | { readonly kind: 'query'; readonly route: Route; readonly handle: Handler<Route, AnyContext> }
  | Mutation
  /** It has separate transactions, or none: a batch. */
  | {
      readonly kind: 'composite'
      readonly route: Route
      readonly handle: Composite<Route, AnyCompositeContext>
      readonly takes?: ContentLimits
    }

/** What a route takes that takes bytes, and the codes of its refusals. */
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

/** A route that only reads. */
export function query<R extends Route, D extends Dep = never>(route: R, handle: Handler<R, Context<D>>): Endpoint {
  return { kind: 'query', route, handle }
}

/** A route that writes: it runs inside one transaction, and its failure changes nothing. */
export function mutation<R extends Route, D extends MutationDep = never>(
  route: R,
  handle: Handler<R, WriteContext<D>>,
  { together }: { together?: Together<R, WriteContext<D>> } = {},
): Endpoint {
  return { kind: 'mutation', route, handle, together }
}

/** A route whose work has separate transactions, or none. */
export function composite<R extends Route, D extends Dep = never>(route: R, handle: Composite<R, CompositeContext<D>>): Endpoint {
  return { kind: 'composite', route, handle }
}

/** A route that takes a file: it is on the disk when the handler runs, and is discarded after it. */
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

/** What a handler sees of a command. */
export function contextOf<D extends OperationDeps>(deps: D, { sender, seen }: Command) {
  return { ...sender, reader: deps.store.reader, deps, seen_etag: seen?.etag }
}

/** What a handler sees inside a transaction. */
export function contextWithin<D extends OperationDeps>(deps: D, command: Command, tx: Tx) {
  return { ...contextOf(deps, command), reader: tx, tx, command }
}
