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
  /** Unique for each request, also for each try at one delivery. */
  readonly request_id: string
  /** The same for each try at one delivery, so that a receiver can tell a repeat. */
  readonly delivery_uid: string
  readonly body: string
}

/** The result of a request. `interrupted`: this side ended it, and it says nothing of the receiver. */
export type SendOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly error: DeliveryError; readonly status: number | null }
  | { readonly kind: 'interrupted' }

/** Sends requests over connections that are kept for the next one. */
export interface Sender {
  send(shipment: Shipment): Promise<SendOutcome>
  /** Ends running requests at once. */
  close(): void
}

/** How to send. */
export interface SenderSettings {
  /** From the look-up of the name to the end of the answer. */
  readonly timeoutMs: number
  /** Whether the operator allows addresses that are not on the internet. */
  readonly allowsPrivate: boolean
}

/** A connection that nothing was sent over for so long may have been left by the receiver. */
const idleMs = 1_000
/** More of an answer than this is not waited for; none of it is looked at. */
const mostResponseBytes = 4_096

/** The value of `X-Service-Signature` (contract 6.2). */
export function sign({ secret, request_id, body }: Pick<Shipment, 'secret' | 'request_id' | 'body'>): string {
  return createHmac('sha256', secret)
    .update(request_id + body)
    .digest('hex')
}

/**
 * Makes the sender of webhooks. Where a request goes is checked three times: an address in the `url` before anything is done (a
 * look-up never runs for one), all addresses of a name in the look-up that the connection itself uses, and the address at the
 * other end of the connection before a byte is sent. Redirects are not followed, and responses are discarded unread.
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
      // What the status says holds, however the rest of the answer ends; the connection is free only then.
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
