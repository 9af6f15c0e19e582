import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { type Faults, type StoredObject, answerObject } from './s3/objects'
import { S3Error, access_key_id, region, scopeOf, secret_access_key, sign, wrongSignature } from './s3/signature'

const bucket = 'receipts'
/** An S3 with one bucket, that takes forms by their policies, and takes, gives, lists and removes objects for who signs, as the real one does; nothing else. */
export interface S3 {
  readonly origin: string
  /** For an instance whose uploads go here. */
  readonly settings: Readonly<Record<`OUTLAY_UPLOAD_BUCKET_${'URL' | 'REGION' | 'ACCESS_KEY_ID' | 'SECRET_ACCESS_KEY'}`, string>>
  /** What lies in the bucket, by its key. */
  readonly objects: Map<string, StoredObject>
  /** For an instance whose files are kept here. */
  readonly fileSettings: Readonly<Record<`OUTLAY_BUCKET_${'URL' | 'REGION' | 'ACCESS_KEY_ID' | 'SECRET_ACCESS_KEY'}`, string>>
  /** What goes wrong; taken away by each that came. */
  readonly faults: Faults
  /** The keys that were asked for, in turn. */
  readonly reads: string[]
  close(): Promise<void>
}

/** Starts the bucket on a free loopback port, or on that of one that was closed. `now`: its clock. */
export async function startS3(now: () => Date, port = 0): Promise<S3> {
  const objects = new Map<string, StoredObject>()
  const reads: string[] = []
  const faults: Faults = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://s3')
    const [, name, ...rest] = pathname.split('/')
    if (name !== bucket) throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist')
    if (request.method === 'OPTIONS') return void response.writeHead(200).end()
    if (request.method === 'POST' && rest.length === 0) {
      const form = await readForm(request)
      judgeForm(form, now())
      const { key, etag } = keep(objects, form)
      const location = `http://${request.headers.host}/${bucket}/${encodeURIComponent(key)}`
      const said = { Location: location, Bucket: bucket, Key: key, ETag: etag }
      return void response.writeHead(201, { location, etag, 'content-type': 'application/xml' }).end(toXml('PostResponse', said))
    }
    const key = decodeURIComponent(rest.join('/'))
    if (request.method === 'GET') reads.push(key)
    await answerObject({ request, response, key }, { objects, faults, now })
  }
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
    response.setHeader('access-control-allow-methods', 'POST')
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return void response.destroy()
      const { status, code, message } = error instanceof S3Error ? error : new S3Error(500, 'InternalError', String(error))
      response.writeHead(status, { 'content-type': 'application/xml' }).end(toXml('Error', { Code: code, Message: message }))
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    settings: {
      OUTLAY_UPLOAD_BUCKET_URL: `${origin}/${bucket}`,
      OUTLAY_UPLOAD_BUCKET_REGION: region,
      OUTLAY_UPLOAD_BUCKET_ACCESS_KEY_ID: access_key_id,
      OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY: secret_access_key,
    },
    fileSettings: {
      OUTLAY_BUCKET_URL: `${origin}/${bucket}`,
      OUTLAY_BUCKET_REGION: region,
      OUTLAY_BUCKET_ACCESS_KEY_ID: access_key_id,
      OUTLAY_BUCKET_SECRET_ACCESS_KEY: secret_access_key,
    },
    ...{ objects, faults },
    reads,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A form as it came: its fields by their names in lower case, and the file, after which nothing counts. */
interface Form {
  readonly fields: ReadonlyMap<string, string>
  readonly bytes: Buffer
  readonly file_name: string
}

async function readForm(request: IncomingMessage): Promise<Form> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const parts = await new Response(Buffer.concat(chunks), { headers }).formData().catch(() => {
    throw new S3Error(400, 'MalformedPOSTRequest', 'The body of your POST request is not well-formed multipart/form-data.')
  })
  const fields = new Map<string, string>()
  for (const [name, value] of parts) {
    if (typeof value === 'string') fields.set(name.toLowerCase(), value)
    else if (name === 'file') return { fields, bytes: Buffer.from(await value.arrayBuffer()), file_name: value.name }
  }
  throw new S3Error(400, 'InvalidArgument', 'POST requires exactly one file upload per request.')
}

const policySchema = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(
    z.union([
      z.record(z.string(), z.string()),
      z.tuple([z.enum(['eq', 'starts-with']), z.string().startsWith('$'), z.string()]),
      z.tuple([z.literal('content-length-range'), z.int(), z.int()]),
    ]),
  ),
})

type Condition = z.output<typeof policySchema>['conditions'][number]

function judgeForm({ fields, bytes }: Form, now: Date): void {
  const field = (name: string) => fields.get(name) ?? ''
  const [id, ...scope] = field('x-amz-credential').split('/')
  if (field('x-amz-algorithm') !== 'AWS4-HMAC-SHA256') throw new S3Error(400, 'InvalidRequest', 'Please use AWS4-HMAC-SHA256.')
  if (id !== access_key_id) throw new S3Error(403, 'InvalidAccessKeyId', 'The AWS Access Key Id does not exist in our records.')
  const day = field('x-amz-date').slice(0, 8)
  if (sign(day, field('policy')) !== field('x-amz-signature') || scope.join('/') !== scopeOf(day)) throw wrongSignature
  const policy = policySchema.parse(JSON.parse(Buffer.from(field('policy'), 'base64').toString()))
  if (Date.parse(policy.expiration) <= now.getTime()) throw refused('Policy expired.')
  const named = policy.conditions.flatMap((condition) => judge(condition, { fields, size: bytes.length }))
  const free = new Set([...named, 'policy', 'x-amz-signature'])
  const extra = [...fields.keys()].find((name) => !free.has(name) && !name.startsWith('x-ignore-'))
  if (extra !== undefined) throw refused(`Extra input fields: ${extra}`)
}

/** The names of the fields that the condition is about. A field that it is about must be there. */
function judge(condition: Condition, { fields, size }: { fields: Form['fields']; size: number }): string[] {
  const valueOf = (name: string) => (name === 'bucket' ? bucket : fields.get(name.toLowerCase()))
  const failed = refused(`Policy Condition failed: ${JSON.stringify(condition)}`)
  if (!Array.isArray(condition)) {
    if (Object.entries(condition).some(([name, value]) => valueOf(name) !== value)) throw failed
    return Object.keys(condition).map((name) => name.toLowerCase())
  }
  if (condition[0] === 'content-length-range') {
    const [, least, most] = condition
    if (size < least) throw new S3Error(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
    if (size > most) throw new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size')
    return []
  }
  const [operator, name, value] = condition
  const actual = valueOf(name.slice(1))
  if (actual === undefined || !(operator === 'eq' ? actual === value : actual.startsWith(value))) throw failed
  return [name.slice(1).toLowerCase()]
}

function keep(objects: S3['objects'], { fields, bytes, file_name }: Form): { key: string; etag: string } {
  const key = (fields.get('key') ?? '').replaceAll('${filename}', file_name)
  objects.set(key, { bytes, modified: new Date(), content_type: fields.get('content-type') ?? 'binary/octet-stream' })
  return { key, etag: `"${createHash('md5').update(bytes).digest('hex')}"` }
}

function refused(reason: string): S3Error {
  return new S3Error(403, 'AccessDenied', `Invalid according to Policy: ${reason}`)
}

function toXml(name: string, said: Record<string, string>): string {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  const parts = Object.entries(said).map(([element, text]) => `<${element}>${escape(text)}</${element}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${parts.join('')}</${name}>`
}
