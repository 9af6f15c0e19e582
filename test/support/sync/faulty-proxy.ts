import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** Which way bytes go: from the client, or to it. */
export type Direction = 'up' | 'down'

/** What a proxy does to what passes. */
export interface Faults {
  /** How long each part is held back. */
  readonly latencyMs?: number
  /** After so many bytes one way, of all connections together, nothing more passes either way until {@link FaultyProxy.heal}. */
  readonly cut?: {
    readonly direction: Direction
    readonly after: number
    /** How the connections end: by a reset, by an orderly end in the middle, or by saying nothing for so many milliseconds first. */
    readonly how: 'reset' | 'close' | { readonly stallMs: number }
  }
}

/** A loopback proxy on the level of TCP. */
export interface FaultyProxy {
  readonly url: string
  /** Its host and port: what stands in the requests that pass, and what the server must answer for. */
  readonly host: string
  /** Bytes that have passed since the faults were last set. */
  readonly passed: Readonly<Record<Direction, number>>
  /** Whether the cut has been reached. */
  readonly isCut: boolean
  set(faults: Faults): void
  /** Passes everything on from now on; connections that were cut are ended. */
  heal(): void
  /** Resolves when something passes. */
  traffic(): Promise<void>
  /** Passes new connections on to a server, or to another than before. */
  retarget(url: string): void
  close(): Promise<void>
}

interface State {
  faults: Faults
  isCut: boolean
  readonly passed: Record<Direction, number>
  readonly sockets: Set<Socket>
  readonly waiting: Array<() => void>
}

/** Starts a proxy; it passes nothing on before it is told where to. */
export async function startProxy(): Promise<FaultyProxy> {
  const state: State = { faults: {}, isCut: false, passed: { up: 0, down: 0 }, sockets: new Set(), waiting: [] }
  let to: URL | undefined
  const server = createServer((client) => {
    // Nobody answers where the line is cut.
    if (state.isCut || !to) return void client.resetAndDestroy()
    const upstream = connect(Number(to.port), to.hostname)
    join(state, client, upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const set = (faults: Faults) => {
    if (state.isCut) endAll(state)
    Object.assign(state, { faults, isCut: false })
    Object.assign(state.passed, { up: 0, down: 0 })
  }
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    passed: state.passed,
    get isCut() {
      return state.isCut
    },
    set,
    heal: () => set({}),
    traffic: () => new Promise((resolve) => state.waiting.push(resolve)),
    retarget: (url) => {
      to = new URL(url)
      endAll(state)
    },
    close: async () => {
      endAll(state)
      server.close()
      await once(server, 'close')
    },
  }
}

function endAll({ sockets }: State): void {
  for (const socket of sockets) socket.destroy()
}

function join(state: State, client: Socket, upstream: Socket): void {
  const ways = [
    { direction: 'up', from: client, to: upstream },
    { direction: 'down', from: upstream, to: client },
  ] as const
  for (const { direction, from, to } of ways) {
    state.sockets.add(from)
    from.setNoDelay(true)
    from.on('data', (data: Buffer) => {
      if (!state.isCut) later(state, () => pass(state, direction, { data, to }))
    })
    from.on('end', () => later(state, () => to.end()))
    // A side that is gone is told by the end of the other.
    from.on('error', () => undefined)
    from.on('close', () => {
      state.sockets.delete(from)
      if (!state.isCut) later(state, () => to.destroy())
    })
  }
}

function later({ faults }: State, work: () => void): void {
  if (faults.latencyMs) setTimeout(work, faults.latencyMs)
  else work()
}

function pass(state: State, direction: Direction, { data, to }: { data: Buffer; to: Socket }): void {
  if (state.isCut) return
  for (const tell of state.waiting.splice(0)) tell()
  const { cut } = state.faults
  const room = cut?.direction === direction ? cut.after - state.passed[direction] : Infinity
  const part = data.subarray(0, Math.max(0, Math.min(data.length, room)))
  state.passed[direction] += part.length
  if (data.length < room || !cut) return void to.write(part)
  state.isCut = true
  // What was passed is on its way before the line is cut.
  to.write(part, () => end(state, cut.how))
}

function end(state: State, how: NonNullable<Faults['cut']>['how']): void {
  if (how === 'reset') for (const socket of state.sockets) socket.resetAndDestroy()
  else if (how === 'close') for (const socket of state.sockets) socket.end()
  else setTimeout(() => endAll(state), how.stallMs).unref()
}
