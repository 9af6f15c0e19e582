import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A small proxy that gives requests to servers in turn, to those that say that they are ready. */
export interface RoundRobin {
  readonly url: string
  close(): Promise<void>
}

/** How often the servers are asked whether they are ready. */
const probeMs = 100
const answerMs = 2_000

/**
 * Starts the proxy on a free loopback port. As HAProxy does with `retry-on conn-failure` and `option redispatch`, a request that could not be
 * handed to a server goes to the next; one that was handed over is never sent twice.
 */
export async function startRoundRobin(servers: () => readonly string[]): Promise<RoundRobin> {
  let ready: readonly string[] = servers()
  let turn = 0
  const silent = new Map<string, number>()
  // One that says that it is not ready is out at once; one that does not answer, as on a busy machine, when it does so again.
  const judge = async (url: string) => {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(answerMs) }).then(
      ({ ok }) => ok,
      () => undefined,
    )
    silent.set(url, answer === undefined ? (silent.get(url) ?? 0) + 1 : 0)
    return answer ?? (silent.get(url) ?? 0) < 2
  }
  let probing: NodeJS.Timeout | undefined
  const probe = async () => {
    const asked = await Promise.all(servers().map(async (url) => ((await judge(url)) ? [url] : [])))
    ready = asked.flat()
    if (probing) probing = setTimeout(() => void probe(), probeMs)
  }
  probing = setTimeout(() => void probe(), probeMs)
  const server = createServer((request, response) => {
    turn += 1
    const from = ready.length === 0 ? 0 : turn % ready.length
    pass(request, response, [...ready.slice(from), ...ready.slice(0, from)])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      clearTimeout(probing)
      probing = undefined
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function pass(request: IncomingMessage, response: ServerResponse, [url, ...others]: readonly string[]): void {
  if (url === undefined) return void response.writeHead(503).end()
  const { method, headers } = request
  let isConnected = false
  const forwarded = { ...headers, host: new URL(url).host }
  // A connection of its own for each request: one that is kept open may be closed by its server at the moment it is used.
  const onward = send(`${url}${request.url ?? ''}`, { method, headers: forwarded, agent: false })
  onward.on('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true
      request.pipe(onward)
    }),
  )
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => response.destroy())
    answer.on('close', () => answer.complete || response.destroy())
    answer.pipe(response)
  })
  onward.on('error', () => {
    if (!isConnected) return pass(request, response, others)
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  })
  response.on('close', () => onward.destroy())
}
