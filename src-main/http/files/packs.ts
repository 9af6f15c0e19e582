import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { languages } from '#shared/domain/locales'
import { toContentDisposition } from '#main/files/content-disposition'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { findAuditKey } from '#main/use-cases/audit/audit-key'
import { writePack } from '#main/use-cases/audit/write-pack'
import type { CommonDeps, ServerParts } from '../deps'

type PackDeps = CommonDeps & Pick<ServerParts, 'store' | 'blobs'>

const dayMs = 86_400_000

/** Parses `/files/packs/<organization>/<from>/<to>/<language>/<name>`; `-` stands for no limit. */
function parsePath(path: string) {
  const [, id, from = '-', to = '-', locale = '', name = ''] =
    /^\/files\/packs\/(\d{1,15})\/(-|[\d-]{10})\/(-|[\d-]{10})\/([a-z]{2})\/([^/]+)$/.exec(path) ?? []
  const language = languages.find((one) => one === locale)
  if (id === undefined || language === undefined) return undefined
  const until = to === '-' ? null : new Date(Date.parse(to) + dayMs).toISOString().slice(0, 10)
  return { organization_id: Number(id), from: from === '-' ? null : from, to: until, locale: language, file_name: decodeURIComponent(name) }
}

/** Sends the auditor's pack of a signed path; undefined if the path names none. A failure while sending ends the connection. */
export async function sendPack(
  deps: PackDeps,
  path: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply | undefined> {
  const asked = parsePath(path)
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
