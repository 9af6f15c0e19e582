import type { Transport } from './remote'

/** How long one connection listens for pokes, and the pause before the next after it breaks. */
const listenMs = 30 * 60_000
const listenAgainMs = 2_000

export interface Listening {
  readonly signal: AbortSignal
  readonly onPoke: () => void
  /** Connects to the remote; undefined while there is none. */
  readonly connect: () => Promise<Transport | undefined>
}

/** Listens for pokes until it is stopped; reconnects when the connection breaks. */
export async function listenForPokes({ signal, onPoke, connect }: Listening): Promise<void> {
  while (!signal.aborted) {
    try {
      const transport = await connect()
      if (transport) await listenOnce(transport, { signal, onPoke })
    } catch {
      // It is retried, and the exchange reports the problem.
    }
    await pause(listenAgainMs, signal)
  }
}

async function listenOnce(transport: Transport, { signal, onPoke }: Pick<Listening, 'signal' | 'onPoke'>): Promise<void> {
  const headers = { accept: 'text/event-stream' }
  const response = await transport({ method: 'GET', path: '/sync/pokes', headers, timeoutMs: listenMs, signal })
  if (response.status !== 200) return
  for await (const chunk of response.stream()) if (Buffer.from(chunk).includes('event: poke')) onPoke()
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
