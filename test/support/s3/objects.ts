import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3Error, judgeSignature } from './signature'

/** What lies in the bucket. */
export interface StoredObject {
  readonly bytes: Buffer
  readonly content_type: string
  readonly modified: Date
}

/**
 * What goes wrong with the next request of a method: `slow` and `silent` wait, `busy` is 503, `truncated` sends half of what it announced,
 * `cut` closes the connection (of a PUT in the middle of what comes), `lost` does what is asked and closes without an answer.
 */
export interface Fault {
  readonly method: string
  readonly kind: 'slow' | 'silent' | 'busy' | 'truncated' | 'cut' | 'lost' | 'changed'
}

/** The faults to come, in turn. */
export type Faults = Fault[]

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly key: string
}

interface Kept {
  readonly objects: Map<string, StoredObject>
  readonly faults: Faults
  readonly now: () => Date
}

/** Answers a signed request for an object or the list of them. */
export async function answerObject(asked: Asked, kept: Kept): Promise<void> {
  const { request, response, key } = asked
  response.setHeader('date', new Date().toUTCString())
  judgeSignature(request, kept.now())
  const at = kept.faults.findIndex(({ method }) => method === request.method)
  const [fault] = at < 0 ? [] : kept.faults.splice(at, 1)
  if (fault?.kind === 'slow') await sleep(150)
  if (fault?.kind === 'silent') await sleep(1_500)
  if (fault?.kind === 'busy') throw new S3Error(503, 'SlowDown', 'Please reduce your request rate.')
  if (fault?.kind === 'cut' && request.method !== 'PUT') return void request.socket.destroy()
  if (request.method === 'PUT') return put(asked, kept, fault)
  if (request.method === 'DELETE') {
    kept.objects.delete(key)
    return void response.writeHead(204).end()
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new S3Error(405, 'MethodNotAllowed', 'Not allowed')
  if (key === '') return list(asked, kept)
  const object = kept.objects.get(key)
  if (!object && request.method === 'HEAD') return void response.writeHead(404).end()
  if (!object) throw new S3Error(404, 'NoSuchKey', 'The specified key does not exist.')
  give(asked, object, fault)
}

function give({ request, response }: Asked, { bytes, content_type, modified }: StoredObject, fault: Fault | undefined): void {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = to ? Math.min(Number(to), bytes.length - 1) : bytes.length - 1
  if (from !== undefined && start >= bytes.length) throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable')
  const part = bytes.subarray(start, end + 1)
  response.writeHead(from === undefined ? 200 : 206, {
    'content-type': content_type,
    'content-length': part.length,
    'last-modified': modified.toUTCString(),
    etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
  })
  if (request.method === 'HEAD') return void response.end()
  if (fault?.kind === 'changed') return void response.end(Buffer.from(part).fill('x', 0, 1))
  if (fault?.kind !== 'truncated') return void response.end(part)
  response.write(part.subarray(0, Math.ceil(part.length / 2)), () => setTimeout(() => response.destroy(), 20))
}

async function put({ request, response, key }: Asked, { objects }: Kept, fault: Fault | undefined): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) {
    chunks.push(Buffer.from(chunk))
    if (fault?.kind === 'cut') return void request.socket.destroy()
  }
  const bytes = Buffer.concat(chunks)
  if (bytes.length !== Number(request.headers['content-length'])) throw new S3Error(400, 'IncompleteBody', 'Too little came.')
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (hash !== request.headers['x-amz-content-sha256'])
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', "The provided 'x-amz-content-sha256' header does not match what was computed.")
  if (request.headers['if-none-match'] === '*' && objects.has(key))
    throw new S3Error(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
  objects.set(key, { bytes, modified: new Date(), content_type: request.headers['content-type'] ?? 'binary/octet-stream' })
  if (fault?.kind === 'lost') return void request.socket.destroy()
  response.writeHead(200, { etag: `"${createHash('md5').update(bytes).digest('hex')}"` }).end()
}

/** Few to a page, so that there are several. */
const pageLength = 3

function list({ request, response }: Asked, { objects }: Kept): void {
  const { searchParams } = new URL(request.url ?? '', 'http://s3')
  const [prefix, after] = [searchParams.get('prefix') ?? '', searchParams.get('continuation-token') ?? '']
  const all = [...objects].filter(([key]) => key.startsWith(prefix) && key > after).sort(([a], [b]) => (a < b ? -1 : 1))
  const page = all.slice(0, pageLength)
  const contents = page.map(
    ([key, { bytes, modified }]) =>
      `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`,
  )
  const next = all.length > page.length ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`)
}
