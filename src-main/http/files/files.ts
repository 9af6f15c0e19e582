import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CapturableType, capturableTypes } from '#shared/domain/captures'
import { isAllowedContentType } from '#shared/domain/content-types'
import { languages } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { BlobMissing } from '#main/files/blob-store'
import { BucketUnreachable } from '#main/files/bucket'
import { toContentDisposition } from '#main/files/content-disposition'
import { type ThumbnailStyle, longestSidePx } from '#main/files/inspection'
import { verifySignedPath } from '#main/files/signed-url'
import { toErrorXml } from '#main/files/upload-policy'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { findAuditKey } from '#main/use-cases/audit/audit-key'
import { writePack } from '#main/use-cases/audit/write-pack'
import type { CommonDeps, ServerParts } from '../deps'
import { matches } from '../responses'
import { parseRange } from './byte-range'
import { type UploadDeps, registerUploads } from './uploads'

const dayMs = 86_400_000

/** Parses `/files/packs/<organization>/<from>/<to>/<language>/<name>`; `-` stands for no limit. */
function parsePackPath(path: string) {
  const [, id, from = '-', to = '-', locale = '', name = ''] =
    /^\/files\/packs\/(\d{1,15})\/(-|[\d-]{10})\/(-|[\d-]{10})\/([a-z]{2})\/([^/]+)$/.exec(path) ?? []
  const language = languages.find((one) => one === locale)
  if (id === undefined || language === undefined) return undefined
  const until = to === '-' ? null : new Date(Date.parse(to) + dayMs).toISOString().slice(0, 10)
  return { organization_id: Number(id), from: from === '-' ? null : from, to: until, locale: language, file_name: decodeURIComponent(name) }
}

/** Sends the auditor's pack of a signed path; undefined if the path names none. A failure while sending ends the connection. */
async function sendPack(
  deps: CommonDeps & Pick<ServerParts, 'store' | 'blobs'>,
  path: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply | undefined> {
  const asked = parsePackPath(path)
  if (!asked) return undefined
  const { organization_id, file_name, ...period } = asked
  const { reader } = deps.store
  const [organization, key] = [await findOrganization(reader, organization_id), await findAuditKey(deps.blobs.root)]
  if (!organization || !key) return undefined
  const content_type = 'application/zip'
  reply.headers({
    'content-type': content_type,
    'content-disposition': toContentDisposition({ content_type, file_name, isAttached: true }),
  })
  if (request.method === 'HEAD') return reply.send()
  const options = { organization, key, ...period, made_at: deps.clock.now(), earlier_keys: [] }
  return reply.send(Readable.from(writePack(reader, deps.blobs, options)))
}

/** The parts of a file address: `/files/<sha256>/<style>/<type>/<name>`, with a hyphen for the type's slash. */
interface FilePath {
  readonly sha256: string
  readonly style: 'original' | ThumbnailStyle
  readonly content_type: CapturableType
  readonly file_name: string
}

/** A file to send: how to read it, and its name. */
interface FileToSend {
  readonly bytes: number
  readonly read: (span: { start: number; end: number }) => Readable
  readonly etag: string
  readonly content_type: string
  readonly file_name: string
  /** Whether browsers save it even if they could show it. */
  readonly isAttached?: boolean
}

type GivingDeps = CommonDeps & Pick<ServerParts, 'store' | 'blobs' | 'thumbnails' | 'replica' | 'exports'>

/** Registers uploads and downloads of files (contract 4.16, supplement "Attachments and uploads"). */
export async function registerFiles(app: FastifyInstance, deps: GivingDeps & UploadDeps): Promise<void> {
  await app.register((uploads) => registerUploads(uploads, deps))
  app.route({ method: ['GET', 'HEAD'], url: '/files/*', handler: (request, reply) => answerFile(deps, request, reply) })
}

/** Headers of every response: the browser runs nothing in it, sniffs no type and sends no referrer. */
const guards = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

async function answerFile(deps: GivingDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.headers(guards)
  const [path = '', query] = request.url.split('?')
  const parameters = new URLSearchParams(query)
  const expires = parameters.get('expires') ?? undefined
  const now = deps.clock.now()
  const check = verifySignedPath({ secret: deps.signing_secret, path, expires, signature: parameters.get('signature') ?? undefined, now })
  if (check.kind === 'forged')
    return refuse(reply, 403, { code: 'SignatureDoesNotMatch', message: 'The signature of this address is not valid.' })
  if (check.kind === 'expired') return refuse(reply, 403, { code: 'AccessDenied', message: 'Request has expired' })
  const pack = await sendPack(deps, path, { request, reply })
  if (pack) return pack
  const file = await findNamed(deps, path).catch(asUnreachable)
  if (file === 'unreachable')
    return refuse(reply, 503, { code: 'ServiceUnavailable', message: translate('en', 'errors:bucket_unreachable') })
  if (file === undefined) return refuse(reply, 404, { code: 'NoSuchKey', message: 'There is no such file.' })
  const maxAge_s = Math.floor(Number(expires) - now.getTime() / 1000)
  reply.headers({ 'cache-control': `private, max-age=${maxAge_s}, immutable`, etag: file.etag })
  if (matches(request.headers['if-none-match'] ?? '', file.etag.slice(1, -1))) return reply.code(304).send()
  return sendFile(request, reply, file)
}

function refuse(reply: FastifyReply, status: 403 | 404 | 503, error: { code: string; message: string }): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-type': 'application/xml; charset=utf-8' })
    .send(toErrorXml(error))
}

function asUnreachable(error: unknown): 'unreachable' {
  if (error instanceof BucketUnreachable) return 'unreachable'
  throw error
}

/** The target of a signed path: an export, or a file of a record. */
async function findNamed(deps: GivingDeps, path: string): Promise<FileToSend | undefined> {
  const [, export_id] = /^\/files\/exports\/([\w-]{1,64})\/[^/]+$/.exec(path) ?? []
  if (export_id !== undefined) {
    const found = await deps.exports.findFile(export_id)
    return found && { ...found, etag: `"${found.sha256}"`, isAttached: true }
  }
  const named = parsePath(path)
  return named && findFile(deps, named)
}

/** Parses a path that this server signed. */
function parsePath(path: string): FilePath | undefined {
  const [, sha256 = '', style = '', type = '', name = ''] = /^\/files\/([0-9a-f]{64})\/([a-z]+)\/([a-z]+-[a-z]+)\/([^/]+)$/.exec(path) ?? []
  const content_type = type.replace('-', '/')
  const known = capturableTypes.find((type) => type === content_type)
  if (!known || !isStyle(style)) return undefined
  return { sha256, style, content_type: known, file_name: decodeURIComponent(name) }
}

function isStyle(text: string): text is FilePath['style'] {
  return text === 'original' || Object.hasOwn(longestSidePx, text)
}

async function findFile(deps: GivingDeps, named: FilePath): Promise<FileToSend | undefined> {
  const { blobs, thumbnails, replica } = deps
  const { sha256, style, content_type, file_name } = named
  // A replica may lack a file but have its thumbnails.
  const kept = style === 'original' ? undefined : await thumbnails.find(sha256, style)
  const stored = kept ? undefined : await blobs.find(sha256)
  if (!kept && !stored && !(await replica.fetchBlob(sha256))) return undefined
  try {
    if (style === 'original') {
      const found = stored ?? (await blobs.find(sha256))
      const read: FileToSend['read'] = (span) => blobs.createReadStream(sha256, span)
      return found && { bytes: found.bytes, read, etag: `"${sha256}"`, content_type, file_name }
    }
    // Original captures may have types that attachments lack; those have no thumbnails.
    const thumbnail = kept ?? (isAllowedContentType(content_type) ? await thumbnails.get(sha256, content_type, style) : undefined)
    const extension = thumbnail?.content_type === 'image/png' ? 'png' : 'jpg'
    return thumbnail && { ...thumbnail, etag: `"${sha256}-${style}"`, file_name: `${file_name}-${style}.${extension}` }
  } catch (error) {
    if (error instanceof BlobMissing) return undefined
    throw error
  }
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileToSend): Promise<FastifyReply> {
  const { range, 'if-range': ifRange } = request.headers
  const { bytes: size } = file
  const asked = parseRange(ifRange === undefined || ifRange === file.etag ? range : undefined, size)
  reply.header('accept-ranges', 'bytes')
  if (asked.kind === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send()
  const { start, end } = asked.kind === 'part' ? asked : { start: 0, end: size - 1 }
  if (asked.kind === 'part') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.headers({ 'content-type': file.content_type, 'content-length': end - start + 1, 'content-disposition': toContentDisposition(file) })
  return request.method === 'HEAD' || size === 0 ? reply.send() : reply.send(file.read({ start, end }))
}
