import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Paced, measurePaced } from './paced'
import type { Seeded } from './seed'
import { startProgram } from './servers'

/** How fast webhooks are told, and what the API's callers notice of that. */
export interface WebhookFigures {
  readonly deliveries: number
  readonly deliveries_per_second: number
  /** One reader of expenses and lists at a steady pace, with nothing else to do and while webhooks are told. */
  readonly idle: Paced
  readonly during: Paced
}

/** The receiver keeps the first delivery waiting until all are queued. */
const settings = { OUTLAY_WEBHOOK_ALLOW_PRIVATE: '1', OUTLAY_WEBHOOK_TIMEOUT_MS: '600000' }
/** What a batch answers. */
interface Answered {
  readonly results: ReadonlyArray<{ readonly status: number }>
}

const batchLength = 1000
/** Requests a second that the reader makes. */
const pace = 100

/** Batches of changes queue `deliveries` events, which go to a receiver that answers at once. */
export async function measureWebhooks(
  { folder, token, organization_id, expenses }: Seeded,
  { deliveries, seconds }: { deliveries: number; seconds: number },
): Promise<WebhookFigures> {
  const receiver = await startReceiver()
  const program = await startProgram(folder, settings)
  const send = async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const headers = {
      authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
      'content-type': 'application/json',
      'user-agent': 'bench',
    }
    const answer = await fetch(`${program.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    const { results = [] }: Partial<Answered> = await answer.json()
    return { results }
  }
  const paths = [`/api/v1/expenses?q%5Bpayer_id_eq%5D=${organization_id}`, `/api/v1/expenses/${Math.ceil(expenses / 2)}`]
  const read = (wantedSeconds: number) => measurePaced({ url: program.url, token, paths, pace, seconds: wantedSeconds })
  try {
    await read(1)
    const idle = await read(seconds)
    await send('POST', `/organizations/${organization_id}/integrations/webhooks`, { url: receiver.url })
    // Held back until all is queued, so that nothing but the deliveries is measured.
    receiver.hold()
    let queued = 0
    for (let id = 1; queued < deliveries && id <= expenses; id += batchLength) {
      const operations = Array.from({ length: Math.min(batchLength, expenses - id + 1) }, (_, index) => ({
        method: 'PATCH',
        path: `/expenses/${id + index}`,
        body: { description: `${receiver.url} ${id + index}` },
      }))
      const { results } = await send('POST', '/batch', { operations })
      // Some expenses can no longer be changed.
      queued += results.filter(({ status }) => status === 200).length
    }
    const start = performance.now()
    receiver.release()
    const told = receiver.got(queued).then(() => performance.now() - start)
    const during = await read(seconds)
    const tookMs = await told
    return { deliveries: queued, deliveries_per_second: (queued / tookMs) * 1000, idle, during }
  } finally {
    await program.stop()
    receiver.close()
  }
}

async function startReceiver() {
  let count = 0
  let isHeld = false
  const held: Array<() => void> = []
  const looks: Array<() => void> = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1
      for (const look of looks) look()
      if (isHeld) held.push(() => response.end())
      else response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    hold: () => (isHeld = true),
    release: () => {
      isHeld = false
      for (const answer of held) answer()
    },
    got: (wanted: number) => new Promise<void>((resolve) => looks.push(() => count >= wanted && resolve())),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
