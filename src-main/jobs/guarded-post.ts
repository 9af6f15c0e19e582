import { type LookupOptions, lookup } from 'node:dns'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { request as requestHttp } from '#main/node-http'
import { isPrivateAddress, isPrivateLiteral } from '#main/use-cases/webhooks/outgoing-target'

/** A request to post to an address that a user entered. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Uint8Array | string
  /** From the start to the response's head. */
  readonly timeoutMs: number
  /** Whether the operator allows private addresses. */
  readonly allow_private: boolean
}

/** The outcome. `refused`: the address is private. */
export type PostOutcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly reason: string }

/** A name resolves to an address that is not on the internet. */
export class PrivateTarget extends Error {}

/** Resolves a name once for check and connection: the checked address is the connected one. */
export const lookupPublic: LookupFunction = (hostname, options: LookupOptions, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '', 4)
    if (addresses.some(({ address }) => isPrivateAddress(address))) return callback(new PrivateTarget(hostname), '', 4)
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}

/** Posts to an address that a user entered. Does not follow redirects or read responses. */
export function postGuarded({ url, headers, body, timeoutMs, allow_private }: Post): Promise<PostOutcome> {
  if (!allow_private && isPrivateLiteral(url)) return Promise.resolve({ kind: 'refused' })
  const send = new URL(url).protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve) => {
    const options = {
      method: 'POST',
      headers,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      ...(allow_private ? {} : { lookup: lookupPublic }),
    }
    const request = send(url, options, (response) => {
      resolve({ kind: 'answered', status: response.statusCode ?? 0 })
      response.destroy()
    })
    request.on('error', (error) =>
      resolve(error instanceof PrivateTarget ? { kind: 'refused' } : { kind: 'failed', reason: error.message }),
    )
    request.end(body)
  })
}
