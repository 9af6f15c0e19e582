import { connect } from 'node:net'
import type { Json, Person } from './instance'

/** An answer as it came over the wire. */
interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Sends a request exactly as it is written, with headers that no client library would send, and reads the answer. */
export async function sendRaw(url: string, request: { line: string; headers?: readonly string[]; body?: string }): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  const head = [request.line, ...(request.headers ?? []), 'Connection: close', '', ''].join('\r\n')
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(head + (request.body ?? '')))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    socket.on('error', reject)
  })
  const [top = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = top.split('\r\n')
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers), body: rest.join('\r\n\r\n') }
}

/** A GET whose parameters stand in its JSON body, which no fetch can send. */
export async function getWithBody(
  url: string,
  person: Person,
  { path, body }: { path: string; body: unknown },
): Promise<{ status: number; body: Json }> {
  const text = JSON.stringify(body)
  const response = await sendRaw(url, {
    line: `GET /api/v1${path} HTTP/1.0`,
    headers: [
      `Host: ${new URL(url).host}`,
      'User-Agent: tests',
      'Accept-Language: en',
      `Authorization: Basic ${Buffer.from(`${person.token}:`).toString('base64')}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
    ],
    body: text,
  })
  return { status: response.status, body: JSON.parse(response.body) }
}
