import { createHmac } from 'node:crypto'
import type { Agent, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { DeliveryError } from '#shared/domain/webhook-events'
import { Agent as HttpAgent, request as requestHttp } from '#main/node-http'
import { isPrivateAddress, isPrivateLiteral } from '#main/use-cases/webhooks/outgoing-target'
import { PrivateTarget, lookupPublic } from './guarded-post'

/** One request to a receiver. */
export interface Shipment {
  readonly url: string
  readonly secret: string
  /** Unique for each request, also for each try of one delivery. */
  readonly request_id: string
  /** The same for each try of a delivery, so that a receiver recognizes repeats. */
  readonly delivery_uid: string
  readonly body: string
}

/** The outcome of a request. `interrupted`: this side ended it, which says nothing about the receiver. */
export type SendOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly error: DeliveryError; readonly status: number | null }
  | { readonly kind: 'interrupted' }

/** Sends requests over connections that are reused. */
export interface Sender {
  send(shipment: Shipment): Promise<SendOutcome>
  close(): void
}

/** How to send. */
export interface SenderSettings {
  /** From the name's look-up to the end of the response. */
  readonly timeoutMs: number
  /** Whether the operator allows private addresses. */
  readonly allowsPrivate: boolean
}

/** The receiver may have closed a connection that was idle for this long. */
const idleMs = 1_000
/** The most bytes of a response to wait for; they are discarded. */
const mostResponseBytes = 4_096

/** The value of `X-Service-Signature` (contract 6.2). */
export function sign({ secret, request_id, body }: Pick<Shipment, 'secret' | 'request_id' | 'body'>): string {
  return createHmac('sha256', secret)
    .update(request_id + body)
    .digest('hex')
}

/**
 * Makes the sender of webhooks. It checks a request's target three times: an address in the `url` first (it needs no look-up), all addresses of a
 * name in the connection's own look-up, and the connected peer before a byte is sent. It follows no redirects, and discards responses unread.
 */
export function createSender({ timeoutMs, allowsPrivate }: SenderSettings): Sender {
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) }
  const ending = new AbortController()
  return {
    send: (shipment) => {
      if (!allowsPrivate && isPrivateLiteral(shipment.url))
        return Promise.resolve({ kind: 'failed', error: 'private_address', status: null })
      return post(new URL(shipment.url), shipment, { agents, timeoutMs, allowsPrivate, ending: ending.signal })
    },
    close: () => {
      ending.abort()
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

const agentOptions = { keepAlive: true, timeout: idleMs, maxFreeSockets: 16 }

interface Means extends SenderSettings {
  readonly agents: { readonly http: Agent; readonly https: HttpsAgent }
  readonly ending: AbortSignal
}

function post(url: URL, shipment: Shipment, { agents, timeoutMs, allowsPrivate, ending }: Means): Promise<SendOutcome> {
  const isSecure = url.protocol === 'https:'
  const timeout = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve) => {
    const outgoing = (isSecure ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: headersOf(shipment),
      agent: isSecure ? agents.https : agents.http,
      signal: AbortSignal.any([timeout, ending]),
      ...(allowsPrivate ? {} : { lookup: lookupPublic }),
    })
    let answered: SendOutcome | undefined
    outgoing.on('response', (response) => {
      // The status decides, however the rest of the response ends; only then is the connection free.
      const outcome = judgeResponse(response.statusCode ?? 0)
      answered = outcome
      discard(response, () => resolve(outcome))
    })
    outgoing.on('error', (error) => {
      const failed = { kind: 'failed', error: timeout.aborted ? 'timed_out' : toCode(error), status: null } as const
      resolve(answered ?? (ending.aborted ? { kind: 'interrupted' } : failed))
    })
    outgoing.on('socket', (socket) => {
      onConnected(socket, () => {
        if (!allowsPrivate && isPrivateAddress(socket.remoteAddress ?? '')) outgoing.destroy(new PrivateTarget(url.hostname))
        else outgoing.end(shipment.body)
      })
    })
  })
}

function headersOf(shipment: Shipment): Record<string, string | number> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(shipment.body),
    'User-Agent': 'Outlay',
    'X-Service-RequestId': shipment.request_id,
    'X-Service-Signature': sign(shipment),
    'X-Service-DeliveryId': shipment.delivery_uid,
  }
}

function onConnected(socket: Socket, run: () => void): void {
  if (socket.connecting) socket.once('connect', run)
  else run()
}

function judgeResponse(status: number): SendOutcome {
  if (status === 200) return { kind: 'delivered' }
  return { kind: 'failed', error: status >= 300 && status < 400 ? 'redirected' : 'status', status }
}

function discard(response: IncomingMessage, done: () => void): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > mostResponseBytes) response.destroy()
  })
  response.on('error', done)
  response.on('close', done)
}

const codes = new Map<unknown, DeliveryError>([
  ['ECONNREFUSED', 'connection_refused'],
  ['ENOTFOUND', 'name_not_found'],
  ['EAI_AGAIN', 'name_not_found'],
  ['EAI_FAIL', 'name_not_found'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate'],
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['CERT_NOT_YET_VALID', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
])

function toCode(error: Error): DeliveryError {
  if (error instanceof PrivateTarget) return 'private_address'
  return codes.get('code' in error ? error.code : undefined) ?? 'no_answer'
}
