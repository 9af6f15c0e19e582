import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#main/clock'
import { BucketUnreachable } from '../bucket'
import { type BucketAccess, createBucketSigner } from '../bucket-signer'
import { type Exchange, type Sender, createSender } from './sender'

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

/** The contents of the elements with this name, in order, as S3 writes them: without attributes, never nested in themselves. */
function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, text = '']) => text)
}

/** Replaces the entities in an XML text. */
function unescapeXml(text: string): string {
  return text.replaceAll(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => entities[entity] ?? '')
}

/** A bucket for files, and how to reach it. */
export interface BucketPlace extends BucketAccess {
  /** Whether the bucket's name is part of the host or of the path. */
  readonly style: 'host' | 'path'
  /** How long the bucket may be silent before a request is retried. */
  readonly timeout_ms: number
}

/** An object of the bucket. `age_ms`: by the bucket's clock. */
interface BucketEntry {
  readonly bytes: number
  readonly modified: Date
  readonly age_ms: number
}

/** Content to write to the bucket. Each try calls `open` again. */
export interface BucketContent {
  readonly bytes: number
  readonly sha256: string
  readonly content_type?: string
  readonly open: () => Readable
}

/** An object that is being read. */
interface BucketBody {
  readonly bytes: number
  readonly content_type: string
  readonly body: IncomingMessage
}

/** The requests that files need, retried where that may help. All throw BucketUnreachable. */
export interface BucketClient {
  /** Undefined if the object does not exist. */
  head(key: string): Promise<BucketEntry | undefined>
  get(key: string, span?: { start: number; end?: number }): Promise<BucketBody | undefined>
  /** Reads a small object completely. */
  read(key: string): Promise<{ bytes: Buffer; content_type: string } | undefined>
  /** Writes an object completely or not at all. `isNew`: only if none exists; returns whether it was written. */
  put(key: string, content: BucketContent, options?: { isNew?: boolean }): Promise<boolean>
  /** Does nothing if the object does not exist. */
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<{ key: string; bytes: number; modified: Date }>
  close(): void
}

const pausesMs = [100, 400, 1_600]
const passing = new Set([429, 500, 502, 503, 504])
/** Errors that a retry may avoid: a race, or bytes that were changed on their way. */
const passingCodes = new Set([
  ...['ConditionalRequestConflict', 'OperationAborted', 'RequestTimeout'],
  ...['BadDigest', 'XAmzContentSHA256Mismatch', 'IncompleteBody'],
])
/** A bucket rejects signatures whose clock is off by 15 minutes. */
const skewMs = 5 * 60_000
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Asked {
  readonly method: string
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: BucketContent
  /** Statuses that count as a response. */
  readonly expected: readonly number[]
}

type Ask = (asked: Asked) => Promise<Exchange>

/** Makes a client of the bucket. `tries`: the most tries of a request. */
export function createBucketClient(
  place: BucketPlace,
  { clock, tries = pausesMs.length + 1 }: { clock: Pick<Clock, 'now'>; tries?: number },
): BucketClient {
  const sender = createSender(place.timeout_ms)
  const attempt = createAttempt(place, { clock, sender })
  const ask: Ask = async (asked) => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(asked)
      } catch (error) {
        const pauseMs = pausesMs[tried - 1]
        const isPassing = !(error instanceof BucketRefused) || passing.has(error.status) || passingCodes.has(error.code)
        if (!isPassing || tried >= tries || pauseMs === undefined) throw toUnreachable(error)
        await wait(pauseMs)
      }
    }
  }
  const get: BucketClient['get'] = (key, span) => getObject(ask, key, span)

  return {
    get,
    read: (key) => readWhole(() => get(key), tries),
    head: async (key) => {
      const { status, headers, drain } = await ask({ method: 'HEAD', key, expected: [200, 404] })
      await drain()
      return status === 200 ? entryOf(headers) : undefined
    },
    put: async (key, content, { isNew = false } = {}) => {
      const headers = { 'content-type': content.content_type ?? 'application/octet-stream', ...(isNew && { 'if-none-match': '*' }) }
      const { status, drain } = await ask({ method: 'PUT', key, headers, content, expected: isNew ? [200, 412] : [200] })
      await drain()
      return status === 200
    },
    remove: async (key) => (await ask({ method: 'DELETE', key, expected: [200, 204, 404] })).drain(),
    list: (prefix) => listAll(ask, prefix),
    close: () => sender.close(),
  }
}

/** Sends a request once. Throws BucketRefused for unexpected statuses, and errors of the network. */
function createAttempt(place: BucketPlace, { clock, sender }: { clock: Pick<Clock, 'now'>; sender: Sender }): Ask {
  const signer = createBucketSigner(place)
  const base = baseOf(place)
  // How far the bucket's clock is ahead of ours; it rejects signatures that are too old.
  let aheadMs = 0
  const attempt = async (asked: Asked, isSecond = false): Promise<Exchange> => {
    const { method, key, query = {}, headers = {}, content, expected } = asked
    const url = new URL(`${base}/${encodeKey(key)}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const now = new Date(clock.now().getTime() + aheadMs)
    const signed = await signer.sign({ method, url, headers, payload: content?.sha256 ?? emptyHash }, now)
    const exchange = await sender.send({ method, url, headers: signed, content })
    if (expected.includes(exchange.status)) return exchange
    const code = elementsOf(await exchange.text(), 'Code')[0] ?? ''
    const date = Date.parse(exchange.headers.date ?? '')
    // A HEAD response has no error code.
    const isSkewed = exchange.status === 403 && Math.abs(date - now.getTime()) > skewMs
    if (!isSkewed || isSecond) throw new BucketRefused(exchange.status, code)
    aheadMs = date - clock.now().getTime()
    return attempt(asked, true)
  }
  return (asked) => attempt(asked)
}

async function readWhole(get: () => Promise<BucketBody | undefined>, tries: number) {
  for (let tried = 1; ; tried += 1) {
    const found = await get()
    if (!found) return undefined
    try {
      return { bytes: Buffer.concat(await found.body.toArray()), content_type: found.content_type }
    } catch (error) {
      if (tried >= tries) throw toUnreachable(error)
    }
  }
}

async function getObject(
  ask: Ask,
  key: string,
  { start = 0, end }: { start: number; end?: number } = { start: 0 },
): Promise<BucketBody | undefined> {
  const isPart = start > 0 || end !== undefined
  const { status, headers, body, text } = await ask({
    method: 'GET',
    key,
    expected: [isPart ? 206 : 200, 404],
    ...(isPart && { headers: { range: `bytes=${start}-${end ?? ''}` } }),
  })
  if (status !== 404) return { bytes: Number(headers['content-length'] ?? 0), content_type: headers['content-type'] ?? '', body }
  // A missing bucket is a fault, a missing object is not.
  const code = elementsOf(await text(), 'Code')[0] ?? ''
  if (code === 'NoSuchBucket') throw toUnreachable(new BucketRefused(404, code))
  return undefined
}

/** The bucket rejected a request, with S3's name of the reason. */
class BucketRefused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(`The bucket answers ${status}${code && ` ${code}`}.`)
  }
}

function toUnreachable(error: unknown): BucketUnreachable {
  if (error instanceof BucketUnreachable) return error
  const message = error instanceof BucketRefused ? error.message : `The bucket cannot be reached (${reasonOf(error)}).`
  return new BucketUnreachable(message, { cause: error })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

function entryOf(headers: IncomingHttpHeaders): BucketEntry {
  const modified = new Date(headers['last-modified'] ?? '')
  const now = Date.parse(headers.date ?? '')
  return { bytes: Number(headers['content-length'] ?? 0), modified, age_ms: now - modified.getTime() }
}

async function* listAll(ask: Ask, prefix: string): ReturnType<BucketClient['list']> {
  let token: string | undefined
  do {
    const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
    const xml = await (await ask({ method: 'GET', key: '', query, expected: [200] })).text()
    for (const entry of elementsOf(xml, 'Contents')) {
      const text = (name: string) => unescapeXml(elementsOf(entry, name)[0] ?? '')
      yield { key: text('Key'), bytes: Number(text('Size')), modified: new Date(text('LastModified')) }
    }
    const [next] = elementsOf(xml, 'NextContinuationToken')
    token = next === undefined ? undefined : unescapeXml(next)
  } while (token !== undefined)
}

/** The address before keys. */
function baseOf({ url, style }: BucketPlace): string {
  const { protocol, host, pathname } = new URL(url)
  const name = pathname.replaceAll('/', '')
  return style === 'host' ? `${protocol}//${name}.${host}` : `${protocol}//${host}/${name}`
}

/** Escapes as signatures require: everything except letters, digits and `-._~`; folders stay. Our keys have no other characters. */
function encodeKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/')
}
