import { open, readdir, rm, stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Row } from '#db/schema'
import { type ContentType, isAllowedContentType } from '#shared/domain/content-types'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import { syncStreams } from '#shared/contract/sync'
import { translate } from '#shared/i18n/translations'
import { BucketUnreachable } from '#main/files/bucket'
import { makeFolder } from '#main/files/durable'
import { findBlob, listReadableBlobs } from '#main/store/records/files/blob-reader'
import { getAudience } from '#main/store/sync/audience'
import { recordSyncUpload } from '#main/use-cases/sync/record-sync-upload'
import type { Caller } from '../command'
import type { ServerParts } from '../deps'
import { parseRange } from '../files/byte-range'
import { receiveContent } from '../files/receive-content'
import { runOnce } from '../idempotency'
import { type ApiResponse, messageResponse } from '../refusals'
import { scopeRefusal } from '../scopes'

type BlobDeps = Pick<ServerParts, 'store' | 'blobs' | 'inspector' | 'thumbnails' | 'settings' | 'clock' | 'signing_secret' | 'running_keys'>

interface Target {
  Params: { sha256: string }
  Querystring: { file_name?: string; content_type?: string; style?: string }
}

/** What file routes need: the caller, and how to send a response. */
export interface BlobRoutes {
  readonly callerOf: (request: FastifyRequest) => Caller
  readonly send: (reply: FastifyReply, response: ApiResponse) => FastifyReply
}

/**
 * Transfers files of replicas: uploads in parts that resume where the last one ended, downloads with ranges. An upload is kept only if its hash
 * equals its name; a download must belong to a record that the caller may see.
 */
export function registerBlobs(api: FastifyInstance, deps: BlobDeps, routes: BlobRoutes): void {
  api.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null))
  api.get<Target>(syncStreams.getBlob.path, (request, reply) => give(deps, routes, { request, reply }))
  api.put<Target>(syncStreams.putBlob.path, { config: { runsOnce: true } }, async (request, reply) =>
    routes.send(reply, await take(deps, routes.callerOf(request), request)),
  )
}

interface Exchanged {
  readonly request: FastifyRequest<Target>
  readonly reply: FastifyReply
}

function refusal({ locale }: Caller, status: number, key: string): ApiResponse {
  return messageResponse(status, translate(locale ?? 'en', `errors:${key}`))
}

async function give(deps: BlobDeps, routes: BlobRoutes, exchanged: Exchanged): Promise<FastifyReply> {
  const { request, reply } = exchanged
  const { sha256 } = request.params
  const audience = await getAudience(deps.store.reader, routes.callerOf(request).user_id)
  const blob = isHash(sha256) ? await findBlob(deps.store.reader, sha256) : undefined
  if (!blob || (await listReadableBlobs(deps.store.reader, { hashes: [sha256], audience })).length === 0 || !(await deps.blobs.has(sha256)))
    return routes.send(reply, refusal(routes.callerOf(request), 404, 'not_found'))
  if (request.query.style !== undefined) return givePicture(deps, routes, { exchanged, blob })
  const range = parseRange(request.headers.range, blob.bytes)
  if (range.kind === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${blob.bytes}`).send()
  const { start, end } = range.kind === 'part' ? range : { start: 0, end: blob.bytes - 1 }
  if (range.kind === 'part') reply.code(206).header('content-range', `bytes ${start}-${end}/${blob.bytes}`)
  reply.headers({
    'content-type': 'application/octet-stream',
    'content-length': blob.bytes === 0 ? 0 : end - start + 1,
    'accept-ranges': 'bytes',
  })
  return reply.send(blob.bytes === 0 ? Buffer.alloc(0) : deps.blobs.createReadStream(sha256, { start, end }))
}

/** Sends a thumbnail of a file, for replicas without the file itself. */
async function givePicture(
  deps: BlobDeps,
  routes: BlobRoutes,
  { exchanged, blob }: { exchanged: Exchanged; blob: Row<'blobs'> },
): Promise<FastifyReply> {
  const { request, reply } = exchanged
  const { style } = request.query
  const { sha256, content_type } = blob
  const picture =
    isAllowedContentType(content_type) && (style === 'thumb' || style === 'medium')
      ? await deps.thumbnails.get(sha256, content_type, style)
      : undefined
  if (!picture) return routes.send(reply, refusal(routes.callerOf(request), 404, 'not_found'))
  return reply.headers({ 'content-type': picture.content_type }).send(picture.read())
}

/** A sent part: the file's total bytes, and the offset. */
interface Sent {
  readonly sha256: string
  readonly file_name: string
  readonly content_type: ContentType
  readonly offset: number
  readonly total: number
}

function readSent({ params: { sha256 }, query, headers }: FastifyRequest<Target>): Sent | undefined {
  const { file_name = '', content_type = '' } = query
  const offset = Number(headers['upload-offset'] ?? 0)
  const total = Number(headers['upload-length'])
  // Query values can be objects, which throw when converted to text.
  const isName = typeof file_name === 'string' && /^[^/\\\0]{1,255}$/.test(file_name)
  if (!isHash(sha256) || !isAllowedContentType(content_type) || !isName || !(total >= 0) || !(offset >= 0)) return undefined
  return { sha256, file_name, content_type, offset, total }
}

async function take(deps: BlobDeps, caller: Caller, request: FastifyRequest<Target>): Promise<ApiResponse> {
  const scoped = scopeRefusal(caller.scopes, syncStreams.putBlob, caller.locale ?? 'en')
  if (scoped) return scoped
  const sent = readSent(request)
  if (!sent) return refusal(caller, 422, 'sync_blob')
  if (sent.total > deps.settings.upload_max_bytes) return refusal(caller, 413, 'too_large')
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return takePart(deps, { caller, request, sent }, request.raw)
  // With a key, the part is hashed before it is added: it may differ from the first one.
  const part = await receiveContent(deps, { stream: request.raw, bytes: 0 }, sent.total)
  const { file } = part
  if (!file) return refusal(caller, 413, 'too_large')
  const { user_id, locale } = caller
  const actor = { user_id, origin: 'sync', request_id: request.id, if_match: null }
  const parts = [request.method, request.url, sent.offset, sent.total, part.sha256]
  return runOnce(deps, { key, actor, locale: locale ?? 'en', parts }, () =>
    takePart(deps, { caller, request, sent }, createReadStream(file.path)),
  ).finally(() => file.discard())
}

interface SentPart {
  readonly caller: Caller
  readonly request: FastifyRequest<Target>
  readonly sent: Sent
}

async function takePart(deps: BlobDeps, { caller, request, sent }: SentPart, bytes: AsyncIterable<unknown>): Promise<ApiResponse> {
  const { user_id } = caller
  const folder = join(deps.blobs.root, 'incoming')
  await makeFolder(folder)
  // Per user, so that nobody learns from another's upload whether a file exists.
  const partial = join(folder, `${partialsOf(user_id)}${sent.sha256}`)
  const had = await sizeOf(partial)
  const upTo = (status: number, offset: number): ApiResponse => ({ status, body: null, headers: { 'upload-offset': String(offset) } })
  // The part does not fit: the response says where to continue.
  if (sent.offset !== had) return upTo(409, had)
  if (!(await isWithinQuota(deps, partial, { user_id, more: sent.total - had }))) return refusal(caller, 429, 'partial_uploads')
  const has = await append(bytes, { partial, had, total: sent.total })
  if (has < sent.total) return upTo(200, has)
  const refused = await keep(deps, sent, { partial, user_id, request_id: request.id })
  return refused ? refusal(caller, ...refused) : upTo(201, has)
}

/** Stores a complete file; returns the reason if its content does not match. */
async function keep(
  deps: BlobDeps,
  { sha256, file_name, content_type }: Sent,
  { partial, user_id, request_id }: { partial: string; user_id: number; request_id: string },
): Promise<[status: number, key: string] | undefined> {
  let isKept = false
  const file = await deps.blobs.receive(createReadStream(partial), { maxBytes: deps.settings.upload_max_bytes })
  try {
    if (file.sha256 !== sha256) return [422, 'sync_blob']
    const inspection = await deps.inspector.inspect({ path: file.path, content_type })
    if (inspection.kind === 'refused') return [415, 'sync_blob_refused']
    await deps.blobs.keep(file)
    const { width, height, pages, invoice, picture_hash } = inspection
    const { md5, bytes } = file
    await deps.store.transact({ user_id, origin: 'sync', request_id, if_match: null }, (tx) =>
      recordSyncUpload(tx, { sha256, md5, bytes, content_type, file_name, width, height, pages, invoice, picture_hash }),
    )
    return undefined
  } catch (error) {
    // Complete: the next request continues behind its end and stores it.
    if (error instanceof BucketUnreachable) isKept = true
    throw error
  } finally {
    await file.discard()
    if (!isKept) await rm(partial, { force: true })
  }
}

/** The name prefix of a user's incomplete files. */
const partialsOf = (user_id: number) => `sync-${user_id}-`

/** Whether a user may add `more` bytes to incomplete files. The file is created before counting, so that simultaneous requests count each other. */
async function isWithinQuota(
  { settings }: BlobDeps,
  partial: string,
  { user_id, more }: { user_id: number; more: number },
): Promise<boolean> {
  const { files, bytes } = settings.partial_uploads
  await (await open(partial, 'a', 0o600)).close()
  const folder = dirname(partial)
  const names = (await readdir(folder)).filter((name) => name.startsWith(partialsOf(user_id)))
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))))
  const left = sizes.reduce((sum, size) => sum + size, 0)
  const isWithin = names.length <= files && left + more <= Math.max(bytes, settings.upload_max_bytes)
  if (!isWithin && (await sizeOf(partial)) === 0) await rm(partial, { force: true })
  return isWithin
}

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text)

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0
}

/** Appends a part; returns the new size. Bytes before an interruption are kept. */
async function append(
  bytes: AsyncIterable<unknown>,
  { partial, had, total }: { partial: string; had: number; total: number },
): Promise<number> {
  const handle = await open(partial, 'a', 0o600)
  let size = had
  try {
    for await (const chunk of bytes) {
      if (!Buffer.isBuffer(chunk)) continue
      if (size + chunk.byteLength > total) break
      await handle.writeFile(chunk)
      size += chunk.byteLength
    }
    await handle.sync()
  } catch (error) {
    if (isOutOfRoom(error)) throw error
    // Interrupted: the next part continues here.
    await handle.sync()
  } finally {
    await handle.close()
  }
  return size
}
