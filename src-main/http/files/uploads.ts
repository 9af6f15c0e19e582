import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { UploadCredentials } from '#shared/contract/uploads'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import { uploadRefusalTexts } from '#shared/domain/upload-refusals'
import { translate } from '#shared/i18n/translations'
import { FileTooLarge, type ReceivedFile } from '#main/files/blob-store'
import { BucketUnreachable } from '#main/files/bucket'
import type { RefusalReason } from '#main/files/inspection'
import {
  type UploadCheck,
  type UploadError,
  checkUpload,
  issueCredentials,
  refuseUpload,
  toErrorXml,
  toPostResponseXml,
  uploadBucket,
  uploadError,
} from '#main/files/upload-policy'
import type { Actor } from '#main/store/core/actor'
import { findUpload } from '#main/store/records/files/uploads'
import { findUser } from '#main/store/records/users/user-reader'
import { toLocation, uploadPath } from '#main/use-cases/uploads/uploads'
import { bucketCredentialsFor } from './bucket-uploads'
import type { CommonDeps, ServerParts } from '../deps'
import type { Context } from '../endpoint'
import { type KeyedRequest, runOnce } from '../idempotency'
import { type ApiResponse, messageOf } from '../refusals'
import { baseUrlOf } from '../server/reached'
import { storeUpload } from './store-upload'
import { type FormFields, readUploadForm } from './upload-form'

/** What receiving upload forms needs. */
export type UploadDeps = CommonDeps & Pick<ServerParts, 'blobs' | 'inspector' | 'store' | 'running_keys'>

type AcceptedForm = Extract<UploadCheck, { kind: 'accepted' }>
/** An accepted form whose file is in the incoming folder. */
type ReceivedUpload = { kind: 'received'; accepted: AcceptedForm; file: ReceivedFile }
const storedUpload = z.object({ kind: z.literal('stored'), key: z.string(), md5: z.string() })
type UploadOutcome = z.infer<typeof storedUpload> | UploadError
/** The response to a form. */
type Answer = { readonly outcome: UploadOutcome; readonly headers?: ApiResponse['headers'] }

/** Credentials for a user to upload one file per form, below a key that nobody else has (contract 2.20). */
export async function credentialsFor({
  deps,
  base_url,
  user_id,
}: {
  deps: Context<'bucket'>['deps']
  base_url: string
  user_id: number
}): Promise<UploadCredentials> {
  const { clock, settings, signing_secret: secret, bucket } = deps
  if (bucket) return bucketCredentialsFor(deps, bucket, user_id)
  return issueCredentials({
    secret,
    accessKey: `user-${user_id}`,
    keyPrefix: `${user_id}/${clock.secret(16)}/`,
    host: `${base_url}${uploadPath}`,
    expiration: new Date(clock.now().getTime() + settings.upload_ttl_s * 1000),
    maxBytes: settings.upload_max_bytes,
  })
}

function userOf({ accessKey }: AcceptedForm): number {
  return Number(accessKey.replace(/^user-/, ''))
}

function actorOf({ id: request_id }: FastifyRequest, accepted: AcceptedForm): Actor {
  return { user_id: userOf(accepted), origin: 'api', request_id, if_match: null }
}

/** Receives upload forms (contract 4.16, steps 2 to 5), authenticated by the policy in the form. */
export function registerUploads(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  app.removeAllContentTypeParsers()
  // The form is read as it arrives: nothing parses, limits or buffers the body before.
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post(uploadPath, { config: { runsOnce: true } }, async (request, reply) => {
    const { outcome, headers = {} } = await takeUpload(deps, request).catch((error: unknown) => ({
      outcome: refuseWithoutRoom(error),
      headers: {},
    }))
    reply.type('application/xml; charset=utf-8').headers(headers)
    if (outcome.kind === 'refused') return reply.code(outcome.status).send(toErrorXml(outcome))
    const location = toLocation(baseUrlOf(deps, request), outcome.key)
    return sendStored(reply, { location, bucket: uploadBucket, key: outcome.key, etag: `"${outcome.md5}"` })
  })
  return Promise.resolve()
}

function sendStored(reply: FastifyReply, stored: { location: string; bucket: string; key: string; etag: string }): FastifyReply {
  return reply.code(201).headers({ location: stored.location, etag: stored.etag }).send(toPostResponseXml(stored))
}

async function takeUpload(deps: UploadDeps, request: FastifyRequest): Promise<Answer> {
  const type = request.headers['content-type'] ?? ''
  const key = request.headers['idempotency-key']
  const isKeyed = typeof key === 'string'
  const form = await readUploadForm(request.raw, type, (fields, bytes) => receive(deps, { fields, isKeyed }, bytes))
  const { taken, fields } = form
  // Checks the fields even without a file, for an error that the client can correct.
  if (form.is_whole && taken === undefined) return { outcome: refusalOf(checkForm(deps, fields)) }
  if (taken?.kind === 'refused') return { outcome: taken }
  if (taken === undefined) return { outcome: malformed }
  try {
    if (!form.is_whole) return { outcome: malformed }
    if (!isKeyed || !(await findUser(deps.store.reader, userOf(taken.accepted)))) return { outcome: await store(deps, request, taken) }
    const parts = [request.method, uploadPath, fields, taken.file.sha256]
    return await storeKeyed(deps, { key, actor: actorOf(request, taken.accepted), locale: 'en', parts }, () => store(deps, request, taken))
  } finally {
    await taken.file.discard()
  }
}

/** Stores an upload once per key. */
async function storeKeyed(deps: UploadDeps, request: KeyedRequest, work: () => Promise<UploadOutcome>): Promise<Answer> {
  const response = await runOnce(deps, request, async () => {
    const outcome = await work()
    return { status: outcome.kind === 'stored' ? 201 : outcome.status, body: outcome, headers: {} }
  })
  const { status, body, headers } = response
  const known = z.union([storedUpload, uploadError]).safeParse(body)
  if (known.success) return { outcome: known.data, headers }
  return { outcome: { kind: 'refused', status, code: 'InvalidRequest', message: messageOf(response) } }
}

const malformed = refuseUpload(
  'MalformedPOSTRequest',
  'The body of the POST request is not well-formed multipart/form-data that ends with the file.',
)
const noRoom = refuseUpload('InsufficientStorage', translate('en', 'errors:out_of_room'))

function refuseWithoutRoom(error: unknown): UploadError {
  if (isOutOfRoom(error)) return noRoom
  if (error instanceof BucketUnreachable) return refuseUpload('ServiceUnavailable', translate('en', 'errors:bucket_unreachable'))
  throw error
}

const keyTaken = refuseUpload('AccessDenied', 'The key is used already. Request new credentials.')

function refusalOf(check: UploadCheck): UploadError {
  return check.kind === 'refused' ? check : malformed
}

function checkForm({ signing_secret: secret, clock }: CommonDeps, fields: FormFields): UploadCheck {
  return checkUpload({ secret, fields, now: clock.now() })
}

/** Checks a form when its file's part begins, and only then receives the bytes. */
async function receive(
  deps: UploadDeps,
  { fields, isKeyed }: { fields: FormFields; isKeyed: boolean },
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedUpload | UploadError> {
  const accepted = checkForm(deps, fields)
  if (accepted.kind === 'refused') return accepted
  // With an `Idempotency-Key` it may be the same file.
  if (!isKeyed && (await findUpload(deps.store.reader, accepted.key))) return keyTaken
  try {
    return { kind: 'received', accepted, file: await deps.blobs.receive(bytes, { maxBytes: accepted.maxBytes }) }
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error
    return refuseUpload('EntityTooLarge', `Your proposed upload exceeds the maximum allowed size of ${error.maxBytes} bytes.`)
  }
}

async function store(deps: UploadDeps, request: FastifyRequest, { accepted, file }: ReceivedUpload): Promise<UploadOutcome> {
  const { key, content_type } = accepted
  const outcome = await storeUpload(deps, { actor: actorOf(request, accepted), key, content_type, file })
  switch (outcome.kind) {
    case 'recorded':
      return { kind: 'stored', key, md5: file.md5 }
    case 'refused':
      return refuseUpload(...wordReason(outcome.reason, content_type))
    case 'key_taken':
      return keyTaken
    case 'unknown_user':
      return refuseUpload('AccessDenied', 'The user of this access key is gone.')
  }
}

/** The upload protocol's errors, in English, for a file that cannot be stored. */
function wordReason(reason: RefusalReason, content_type: string): Parameters<typeof refuseUpload> {
  const text = uploadRefusalTexts[reason]
  return reason === 'type_mismatch' ? ['AccessDenied', `${text} ${content_type}.`] : ['InvalidArgument', text]
}
