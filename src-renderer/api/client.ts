import { z } from 'zod'
import type { BatchOperation } from '#shared/contract/batch'
import type { Route } from '#shared/contract/route'
import { forgetEarly, takeEarly } from './early/early'
import type { FieldTexts } from './field-errors'
import { addLaterTexts } from './early/later-texts'
import { beginWrite } from './own-writes'
import { onReset } from './page/page-state'

/** The address of the API: the page's own origin, in a browser and in the desktop window alike. */
export const apiBase = '/api/v1'

const errorBody = z.object({
  errors: z.record(z.string(), z.union([z.array(z.string()), z.string()])).optional(),
  error: z.string().optional(),
})

/** An answer that is no success, in sentences; `status` 0 means that no answer came. */
export class ApiError extends Error {
  /** The errors, in sentences, by the contract's name of the attribute. */
  readonly fields: FieldTexts
  /** For support: finds the request in the log. */
  readonly request_id: string | null
  constructor(
    readonly status: number,
    message: string,
    { fields = {}, request_id = null }: { fields?: FieldTexts; request_id?: string | null } = {},
  ) {
    super(message)
    this.fields = fields
    this.request_id = request_id
  }
}

/** What a call gives its route; a part that the route does not take is left out. */
export interface CallInput<R extends Route> {
  readonly params?: z.input<R['params']> | Readonly<Record<string, string | number>>
  readonly query?: z.input<R['query']> | Readonly<Record<string, unknown>>
  readonly body?: z.input<R['body']> | Readonly<Record<string, unknown>>
  /** The raw bytes of a route that takes a file. */
  readonly file?: Blob
  /** The entity tag that the person saw: the write is refused when the record has changed since. */
  readonly ifMatch?: string
  /** The same key with the same request is carried out once. */
  readonly idempotencyKey?: string
  /** The page is going away, and the request must outlive it; its body is then at most 64 KiB. */
  readonly isLeaving?: boolean
  readonly signal?: AbortSignal
}

/** The entity tag of a record as responses carry it. */
export function etagOf({ uid, version }: { uid: string; version: number }): string {
  return `"${uid}.${version}"`
}

/** A route's path with its parameters filled in. */
export function pathOf(route: Route, params: Readonly<Record<string, string | number>> = {}): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
}

function toRecord(params: unknown): Readonly<Record<string, string | number>> {
  return z.record(z.string(), z.union([z.string(), z.number()])).parse(params ?? {})
}

onReset(forgetEarly)

/** The language of the interface; the server words its responses in it. */
let language = 'en'
export function setApiLanguage(code: string): void {
  language = code
}

/** Turns an answer that is no success into the error that says why. The words for it are not in the first load. */
export async function toApiError(status: number, text: string, request_id: string | null): Promise<ApiError> {
  let json: unknown = null
  try {
    json = JSON.parse(text)
  } catch {
    // Not Outlay's own, but of a proxy in front of it.
    return new ApiError(status, '', { request_id })
  }
  const parsed = errorBody.safeParse(json)
  if (!parsed.success) return new ApiError(status, '', { request_id })
  const { errors = {}, error } = parsed.data
  const words = await Promise.all([import('./field-errors'), addLaterTexts()]).catch(() => undefined)
  if (!words) return new ApiError(status, '', { request_id })
  const [{ messageOf, textOfFields, toSentences }] = words
  const fields = toSentences(Object.fromEntries(Object.entries(errors).map(([name, texts]) => [name, [texts].flat()])))
  return new ApiError(status, error === undefined ? (fields.message?.[0] ?? textOfFields(fields)) : messageOf(error), {
    fields,
    request_id,
  })
}

/** A write that has ended. `error`: why it was not accepted; with status 0 the server may have carried it out. */
export interface EndedWrite {
  readonly route: Route
  readonly body: unknown
  readonly error: ApiError | undefined
}

const writeListeners = new Set<(write: EndedWrite) => void>()

/** Calls a listener after every write, until it is stopped. */
export function onWritten(listener: (write: EndedWrite) => void): () => void {
  writeListeners.add(listener)
  return () => writeListeners.delete(listener)
}

function headersOf({ body, file, ifMatch, idempotencyKey }: CallInput<Route>): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', 'accept-language': language }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (file !== undefined) headers['content-type'] = 'application/octet-stream'
  if (ifMatch !== undefined) headers['if-match'] = ifMatch
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  return headers
}

/**
 * Sends an operation of a batch as a request; `batch`: the route whose write it counts as, with the operation as its only one. Throws
 * {@link ApiError}.
 */
export function callOperation(
  batch: Route,
  operation: BatchOperation,
  { idempotencyKey, signal }: { readonly idempotencyKey: string; readonly signal?: AbortSignal },
): Promise<unknown> {
  const { method, path, body, if_match: ifMatch } = operation
  const headers = headersOf({ body, ifMatch, idempotencyKey })
  const request = { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal }
  const write = { route: batch, body: { operations: [operation] }, isLong: false }
  return runWrite(write, () => send(`${apiBase}${path}`, request))
}

/** A query string in the form that the API reads: `q[status_eq]=approved&ids[]=1`. What is null or undefined is left out. */
export function toQueryString(query: object): string {
  return Object.entries(query)
    .flatMap(([name, value]) => toPairs(name, value))
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
}

function toPairs(name: string, value: unknown): Array<[name: string, text: string]> {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((one) => toPairs(`${name}[]`, one))
  if (typeof value === 'object') return Object.entries(value).flatMap(([key, one]) => toPairs(`${name}[${key}]`, one))
  return isValue(value) ? [[name, String(value)]] : []
}

const isValue = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** The address of a call: its path and query. */
export function urlOf<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  route: Route<P, Q, B, R>,
  input: CallInput<Route<P, Q, B, R>>,
): string {
  const query = toQueryString(input.query ?? {})
  return `${apiBase}${pathOf(route, toRecord(input.params))}${query && `?${query}`}`
}

/** Calls a route of the contract. Throws {@link ApiError}. */
export async function call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  route: Route<P, Q, B, R>,
  input: CallInput<Route<P, Q, B, R>> = {},
): Promise<z.output<R>> {
  const request = {
    method: route.method,
    headers: headersOf(input),
    body: input.file ?? (input.body === undefined ? undefined : JSON.stringify(input.body)),
    signal: input.signal,
    keepalive: input.isLeaving,
  }
  const url = urlOf(route, input)
  if (route.method === 'GET') return route.response.parse(await send(url, request))
  const write = { route, body: input.body, isLong: input.file !== undefined }
  return route.response.parse(await runWrite(write, () => send(url, request)))
}

/** Runs a write and says how it ended. `isLong`: it sends a file, which nothing else waits for. */
async function runWrite(
  { route, body, isLong }: Pick<EndedWrite, 'route' | 'body'> & { isLong: boolean },
  run: () => Promise<unknown>,
): Promise<unknown> {
  const end = beginWrite({ isLong })
  let response: unknown = null
  let error: ApiError | undefined
  try {
    response = await run()
    return response
  } catch (thrown) {
    error = thrown instanceof ApiError ? thrown : new ApiError(0, '')
    throw thrown
  } finally {
    end(response)
    for (const listener of writeListeners) listener({ route, body, error })
  }
}

/** The response to a request, or to the same one that this page sent before its program was loaded. */
async function askFor(url: string, request: RequestInit): Promise<Response> {
  return (request.method === 'GET' && (await takeEarly(url))) || fetch(url, request)
}

/** Sends a request and reads the JSON of the response; null where it is empty. */
async function send(url: string, request: RequestInit): Promise<unknown> {
  const response = await askFor(url, request).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, error instanceof Error ? error.message : String(error))
  })
  const text = await response.text()
  if (!response.ok) throw await toApiError(response.status, text, response.headers.get('x-request-id'))
  return text === '' ? null : JSON.parse(text)
}
