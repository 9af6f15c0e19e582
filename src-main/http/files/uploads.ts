import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
  uploadBucket,
} from '#main/files/upload-policy'
import { toErrorXml, toPostResponseXml } from '#main/files/upload-xml'
import { findUpload } from '#main/store/records/files/upload-reader'
import { toLocation, uploadPath } from '#main/use-cases/uploads/upload-location'
import { bucketCredentialsFor } from './bucket-uploads'
import type { CommonDeps, ServerParts } from '../deps'
import type { Context } from '../endpoint'
import { baseUrlOf } from '../server/reached'
import { storeUpload } from './store-upload'
import { type FormFields, readUploadForm } from './upload-form'

/** What upload forms are taken with. */
export type UploadDeps = CommonDeps & Pick<ServerParts, 'blobs' | 'inspector' | 'store'>

type AcceptedForm = Extract<UploadCheck, { kind: 'accepted' }>
/** A form that is acceptable and whose file is in the incoming folder. */
type ReceivedUpload = { kind: 'received'; accepted: AcceptedForm; file: ReceivedFile }
type UploadOutcome = { kind: 'stored'; key: string; md5: string } | UploadError

/** Credentials that let a user upload files of one form each, below a key that nobody else has (contract 2.20). */
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

/** Takes upload forms (contract 4.16, steps 2 to 5): the policy in the form is what authenticates them. */
export function registerUploads(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  app.removeAllContentTypeParsers()
  // The form is read as it comes: nothing parses, limits or keeps the body before.
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post(uploadPath, async (request, reply) => {
    const outcome = await takeUpload(deps, request).catch(refuseWithoutRoom)
    reply.type('application/xml; charset=utf-8')
    if (outcome.kind === 'refused') return reply.code(outcome.status).send(toErrorXml(outcome))
    const location = toLocation(baseUrlOf(deps, request), outcome.key)
    return sendStored(reply, { location, bucket: uploadBucket, key: outcome.key, etag: `"${outcome.md5}"` })
  })
  return Promise.resolve()
}

function sendStored(reply: FastifyReply, stored: { location: string; bucket: string; key: string; etag: string }): FastifyReply {
  return reply.code(201).headers({ location: stored.location, etag: stored.etag }).send(toPostResponseXml(stored))
}

async function takeUpload(deps: UploadDeps, request: FastifyRequest): Promise<UploadOutcome> {
  const type = request.headers['content-type'] ?? ''
  const form = await readUploadForm(request.raw, type, (fields, bytes) => receive(deps, fields, bytes))
  const { taken } = form
  // Without a file the fields are judged all the same, for the reason that a client can do something about.
  if (form.is_whole && taken === undefined) return refusalOf(checkForm(deps, form.fields))
  if (taken?.kind === 'refused') return taken
  if (taken === undefined) return malformed
  try {
    return form.is_whole ? await store(deps, request, taken) : malformed
  } finally {
    await taken.file.discard()
  }
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

/** Judges a form when its file's part begins, and only then takes the bytes. */
async function receive(
  deps: UploadDeps,
  fields: FormFields,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedUpload | UploadError> {
  const accepted = checkForm(deps, fields)
  if (accepted.kind === 'refused') return accepted
  if (await findUpload(deps.store.reader, accepted.key)) return keyTaken
  try {
    return { kind: 'received', accepted, file: await deps.blobs.receive(bytes, { maxBytes: accepted.maxBytes }) }
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error
    return refuseUpload('EntityTooLarge', `Your proposed upload exceeds the maximum allowed size of ${error.maxBytes} bytes.`)
  }
}

async function store(deps: UploadDeps, request: FastifyRequest, { accepted, file }: ReceivedUpload): Promise<UploadOutcome> {
  const { key, content_type } = accepted
  const actor = { user_id: userOf(accepted), origin: 'api', request_id: request.id, if_match: null }
  const outcome = await storeUpload(deps, { actor, key, content_type, file })
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

/** The upload errors for a file that cannot be stored, in the fixed English of the upload protocol. */
function wordReason(reason: RefusalReason, content_type: string): Parameters<typeof refuseUpload> {
  const text = uploadRefusalTexts[reason]
  return reason === 'type_mismatch' ? ['AccessDenied', `${text} ${content_type}.`] : ['InvalidArgument', text]
}
