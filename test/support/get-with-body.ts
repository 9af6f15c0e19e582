import { sendRaw } from './raw-http'
import type { Json, Person } from './instance'

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
