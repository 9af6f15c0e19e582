import type { Capture } from '#shared/contract/captures'
import { noteReceipt } from '#main/store/records/files/receipt-readings'
import type { Instance, Json, Person } from '#test/support/instance'
import { eventually } from '#test/support/notifications'
import type { SampleFile } from '#test/support/sample-files'

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

/** A receipt, and what is read from it: the total in minor units of BRL, and the day. */
export interface ReadFile {
  readonly file: SampleFile
  readonly total: string
  readonly date: string
}

/** Captures a receipt that is then read as a test says. Returns its id. */
export async function captureRead({ app, url }: Instance, person: Pick<Person, 'token'>, read: ReadFile): Promise<number> {
  const { id } = await capture({ token: person.token, url }, read.file)
  const { sha256 } = await eventually(async () => {
    const rows = await app.store.reader.db.selectFrom('captures').selectAll().where('id', '=', id).execute()
    return rows.find(({ state }) => state === 'ready')
  }, 'processed capture')
  await noteRead({ app }, sha256, read)
  return id
}

/** Stores what is read from a file. */
export async function noteRead({ app }: Pick<Instance, 'app'>, sha256: string, { total, date }: Omit<ReadFile, 'file'>): Promise<void> {
  const sure = { probability: 1, fills: true, source: 'text' }
  const fields = JSON.stringify([
    { field: 'total', value: total, currency: 'BRL', ...sure },
    { field: 'date', value: date, ...sure },
  ])
  const system = { user_id: 0, origin: 'system', request_id: null, if_match: null } as const
  await app.store.transact(system, (tx) => noteReceipt(tx, { sha256, state: 'read', tries: 1, fields, engine: 'test' }))
}
