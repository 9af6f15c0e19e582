import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { UploadCredentials } from '#shared/contract/uploads'
import { type ContentType, contentTypes, isAllowedContentType } from '#shared/domain/content-types'
import { toInstant } from '#shared/domain/dates'

const xmlHeader = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** S3's 201 response to an accepted upload. `etag` includes its quotes. Contract 4.16, step 5. */
export function toPostResponseXml(stored: { location: string; bucket: string; key: string; etag: string }): string {
  const { location, bucket, key, etag } = stored
  return `${xmlHeader}<PostResponse>${element('Location', location)}${element('Bucket', bucket)}${element('Key', key)}${element('ETag', etag)}</PostResponse>`
}

/** S3's 400 or 403 response to a rejected upload. Supplement, "Attachments and uploads". */
export function toErrorXml({ code, message }: { code: string; message: string }): string {
  return `${xmlHeader}<Error>${element('Code', code)}${element('Message', message)}</Error>`
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escapeXml(text: string): string {
  // XML 1.0 cannot contain most control characters, lone surrogates and noncharacters, not even escaped.
  const writable = text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return writable.replace(/[&<>"']/g, (char) => entities[char] ?? char)
}

/** The bucket in policies and responses; a server has one. */
export const uploadBucket = 'uploads'

/** What credentials allow: one form per file below `keyPrefix`, until `expiration`, up to `maxBytes`. */
export interface UploadGrant {
  keyPrefix: string
  expiration: Date
  maxBytes: number
}

/** S3's names for the reasons to reject an upload. */
const uploadErrorCode = z.enum([
  ...(['AccessDenied', 'SignatureDoesNotMatch', 'InvalidPolicyDocument', 'MalformedPOSTRequest', 'InvalidArgument'] as const),
  ...(['EntityTooLarge', 'InsufficientStorage', 'ServiceUnavailable', 'InvalidRequest'] as const),
])

/** A rejected upload: the HTTP status and the content of the error XML. */
export const uploadError = z.object({ kind: z.literal('refused'), status: z.int(), code: uploadErrorCode, message: z.string() })
export type UploadError = z.infer<typeof uploadError>

/** The result of checking form fields. `maxBytes` is the policy's limit for the file; `key` is final, with `${filename}` replaced. */
export type UploadCheck = { kind: 'accepted'; key: string; content_type: ContentType; accessKey: string; maxBytes: number } | UploadError

/** The order of form fields in contract 4.16. */
const fieldOrder = ['key', 'acl', 'accesskeyid', 'policy', 'signature', 'success_action_status', 'content-type', 'file'] as const

type FieldName = (typeof fieldOrder)[number]

const maxKeyBytes = 1024

const policySchema = z.strictObject({
  expiration: z.iso.datetime(),
  conditions: z.array(
    z.union([
      z.record(z.string(), z.string()),
      z.tuple([z.literal('starts-with'), z.string(), z.string()]),
      z.tuple([z.literal('content-length-range'), z.int(), z.int()]),
    ]),
  ),
})

type Policy = z.infer<typeof policySchema>

const statuses: Readonly<Record<string, UploadError['status']>> = {
  InsufficientStorage: 507,
  ServiceUnavailable: 503,
  AccessDenied: 403,
  SignatureDoesNotMatch: 403,
}

/** An upload error with S3's status for its code. Also for errors that only the file shows: EntityTooLarge, or AccessDenied for a wrong type. */
export function refuseUpload(code: z.infer<typeof uploadErrorCode>, message: string): UploadError {
  const status = statuses[code] ?? 400
  return { kind: 'refused', status, code, message }
}

/** A form's policy, in base64. `also`: required fields beyond the contract's, with their values. */
export function writePolicy({
  bucket,
  keyPrefix,
  expiration,
  maxBytes,
  also = {},
}: UploadGrant & { bucket: string; also?: Record<string, string> }): string {
  const document: Policy = {
    expiration: toInstant(expiration),
    conditions: [
      { bucket },
      { acl: 'private' },
      ['starts-with', '$key', keyPrefix],
      { success_action_status: '201' },
      ['starts-with', '$content-type', ''],
      ['content-length-range', 0, maxBytes],
      ...Object.entries(also).map(([name, value]) => ({ [name]: value })),
    ],
  }
  return Buffer.from(JSON.stringify(document)).toString('base64')
}

/** Credentials for a form that is sent to this server. Contract 2.20 and 4.16. */
export function issueCredentials(grant: UploadGrant & { secret: string; accessKey: string; host: string }): UploadCredentials {
  const { secret, accessKey, keyPrefix, host } = grant
  const expiration = toInstant(grant.expiration)
  const policy = writePolicy({ ...grant, bucket: uploadBucket })
  const signature = sign({ secret, accessKey, policy }).toString('base64')
  return { signature, access_key: accessKey, policy, host, acl: 'private', key: keyPrefix, expiration }
}

/**
 * Checks an upload form by its fields in order, with the file as ['file', its name]. Call it when the file's part begins, before reading its bytes,
 * and reject later parts as MalformedPOSTRequest.
 */
export function checkUpload({
  secret,
  fields,
  now,
}: {
  secret: string
  fields: ReadonlyArray<readonly [string, string]>
  now: Date
}): UploadCheck {
  const form = readForm(fields)
  if (form.kind === 'refused') return form
  const { values, extra } = form
  const accessKey = values.accesskeyid
  if (!isSignedBy(sign({ secret, accessKey, policy: values.policy }), values.signature)) {
    return refuseUpload('SignatureDoesNotMatch', 'The request signature we calculated does not match the signature you provided.')
  }
  const policy = parsePolicy(values.policy)
  if (policy === undefined) return refuseUpload('InvalidPolicyDocument', 'Invalid Policy: not the JSON of a policy document.')
  if (Date.parse(policy.expiration) <= now.getTime()) return refusePolicy('Policy expired.')
  const key = values.key.replaceAll('${filename}', baseName(values.file))
  const failed = findFailedCondition(policy, { ...values, key })
  if (failed !== undefined) return refusePolicy(`Policy Condition failed: ${failed}`)
  if (extra !== undefined) return refusePolicy(`Extra input fields: ${extra}`)
  if (!isPlainKey(key, keyPrefixOf(policy)))
    return refuseUpload('AccessDenied', 'The key must be the given prefix followed by a file name.')
  const content_type = toMediaType(values['content-type'])
  if (!isAllowedContentType(content_type)) {
    return refuseUpload('AccessDenied', `The content type must be one of: ${contentTypes.join(', ')}.`)
  }
  return { kind: 'accepted', key, content_type, accessKey, maxBytes: maxBytesOf(policy) }
}

type FormValues = Record<FieldName, string>

/** Sorts fields by name (case-insensitive, as S3) and rejects a form with a missing, repeated or misplaced one. */
function readForm(
  fields: ReadonlyArray<readonly [string, string]>,
): { kind: 'form'; values: FormValues; extra: string | undefined } | UploadError {
  const known = new Map<FieldName, string>()
  let extra: string | undefined
  for (const [rawName, value] of fields) {
    const lowerCased = rawName.toLowerCase()
    const name = fieldOrder.find((field) => field === lowerCased)
    if (name === undefined) extra ??= lowerCased.startsWith('x-ignore-') ? undefined : rawName
    else if (known.has(name)) return refuseUpload('InvalidArgument', `The field ${rawName} must be sent once.`)
    else known.set(name, value)
  }
  const missing = fieldOrder.find((name) => !known.has(name))
  if (missing === 'file') return refuseUpload('InvalidArgument', 'POST requires exactly one file upload per request.')
  if (missing !== undefined) return refuseUpload('InvalidArgument', `Bucket POST must contain a field named '${missing}'.`)
  const isInOrder = [...known.keys()].every((name, index) => name === fieldOrder[index])
  if (!isInOrder || fields.at(-1)?.[0].toLowerCase() !== 'file') {
    return refuseUpload('MalformedPOSTRequest', `The fields must come in this order, the file last: ${fieldOrder.join(', ')}.`)
  }
  const valueOf = (name: FieldName): string => known.get(name) ?? ''
  const values: FormValues = {
    key: valueOf('key'),
    acl: valueOf('acl'),
    accesskeyid: valueOf('accesskeyid'),
    policy: valueOf('policy'),
    signature: valueOf('signature'),
    success_action_status: valueOf('success_action_status'),
    'content-type': valueOf('content-type'),
    file: valueOf('file'),
  }
  return { kind: 'form', values, extra }
}

function refusePolicy(reason: string): UploadError {
  return refuseUpload('AccessDenied', `Invalid according to Policy: ${reason}`)
}

/** A separate signing key per access key: a policy signed for one is invalid with another. */
function sign({ secret, accessKey, policy }: { secret: string; accessKey: string; policy: string }): Buffer {
  const key = createHmac('sha256', secret).update(`upload-policy\n${accessKey}`).digest()
  return createHmac('sha256', key).update(policy).digest()
}

function isSignedBy(expected: Buffer, signature: string): boolean {
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function parsePolicy(policy: string): Policy | undefined {
  try {
    return policySchema.safeParse(JSON.parse(Buffer.from(policy, 'base64').toString())).data
  } catch {
    return undefined
  }
}

/** The first condition that the fields break, as JSON. The code that counts the file's bytes checks the content length. */
function findFailedCondition(policy: Policy, values: FormValues): string | undefined {
  const actual: Readonly<Record<string, string>> = { ...values, bucket: uploadBucket }
  const failed = policy.conditions.find((condition) => {
    if (!Array.isArray(condition)) return Object.entries(condition).some(([name, value]) => actual[name.toLowerCase()] !== value)
    const [operator, name, value] = condition
    if (operator === 'content-length-range') return false
    return !(actual[name.slice(1).toLowerCase()] ?? '').startsWith(value)
  })
  return failed === undefined ? undefined : JSON.stringify(failed)
}

function keyPrefixOf(policy: Policy): string {
  for (const condition of policy.conditions) {
    if (Array.isArray(condition) && condition[0] === 'starts-with' && condition[1] === '$key') return condition[2]
  }
  return ''
}

function maxBytesOf(policy: Policy): number {
  for (const condition of policy.conditions) {
    if (Array.isArray(condition) && condition[0] === 'content-length-range') return condition[2]
  }
  return 0
}

/** Whether a key is the prefix and one file name: no more folders, no `..`, nothing unprintable. */
export function isPlainKey(key: string, prefix: string): boolean {
  const fileName = key.slice(prefix.length)
  if (/^\.{0,2}$|[/\\]/.test(fileName)) return false
  return key.isWellFormed() && !/\p{Cc}/u.test(key) && Buffer.byteLength(key) <= maxKeyBytes
}

function baseName(fileName: string): string {
  return fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
}

/** A content type without parameters, in lower case. */
export function toMediaType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}
