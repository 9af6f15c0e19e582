import type { Capture } from '#shared/contract/captures'
import type { Json, Person } from '#test/support/instance'

/** What a test captures. */
export interface Captured {
  readonly bytes: Uint8Array
  readonly name?: string
  /** Further parameters of the request, or others in the place of these. */
  readonly query?: Readonly<Record<string, string>>
  /** The `Idempotency-Key` that it is sent with. */
  readonly key?: string
}

/** Sends a file to `POST /captures` and answers what came back. */
export async function sendCapture(
  { token, url }: { token: string; url: string },
  { bytes, name, query, key }: Captured,
): Promise<{ status: number; body: Json }> {
  const asked = new URLSearchParams({ source: 'drop', ...(name !== undefined && { file_name: name }), ...query })
  const response = await fetch(`${url}/api/v1/captures?${asked.toString()}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
      'user-agent': 'tests',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: new Uint8Array(bytes),
  })
  return { status: response.status, body: await response.json() }
}

/** Captures a file. Throws when it is refused. */
export async function capture(sender: { token: string; url: string }, file: Captured): Promise<Capture> {
  const { status, body } = await sendCapture(sender, file)
  if (status !== 201) throw new Error(`Capture refused: ${status} ${JSON.stringify(body)}`)
  return body
}

/** A person's captures, newest first, as soon as each is processed. */
export async function listProcessed({ api }: Pick<Person, 'api'>): Promise<Capture[]> {
  for (;;) {
    const { body } = await api.get<{ captures: Capture[] }>('/captures?per_page=100')
    if (body.captures.every(({ state }) => state !== 'processing')) return body.captures
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
