import type { IncomingMessage } from 'node:http'
import { parse } from 'forwarded-parse'
import ipaddr from 'ipaddr.js'
import type { CommonDeps } from '../deps'

/** How a request reached the server: its source address, and the scheme and host that the sender used. */
export interface Reached {
  readonly source: string
  readonly scheme: 'http' | 'https'
  readonly host: string
}
/** What one proxy reports about its request; absent: not reported or unreadable. */
type Hop = { readonly [Key in keyof Reached]?: Reached[Key] | undefined }
type Trusts = (address: string) => boolean
type Asked = Pick<IncomingMessage, 'headers' | 'socket'>

/** Makes a test whether an address is in `networks`: addresses or CIDR ranges, IPv4 or IPv6. */
export function toTrust(networks: readonly string[]): Trusts {
  const ranges = networks.map((text) => {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.process(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128] as const
  })
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  }
}

/**
 * How a request reached the server. `Forwarded` (RFC 7239) and `X-Forwarded-For`, `-Proto` and `-Host` count only from a trusted proxy. If both kinds
 * are present and contradict each other, neither counts: the proxy sets one kind, and the client may have sent the other.
 */
export function reachedBy(request: Asked, trusts: Trusts): Reached {
  const known = reached.get(request) ?? judge(request, trusts)
  reached.set(request, known)
  return known
}

/** Cached per request, as it is read several times. */
const reached = new WeakMap<Asked, Reached>()

function judge({ headers, socket }: Asked, trusts: Trusts): Reached {
  const peer = socket.remoteAddress ?? ''
  const direct: Reached = { source: peer, scheme: 'encrypted' in socket ? 'https' : 'http', host: headers.host ?? '' }
  if (!trusts(peer)) return direct
  const [standard, usual] = [outermost(forwardedHops(single(headers.forwarded)), trusts), outermost(usualHops(headers), trusts)]
  if (isContradiction(standard, usual)) return direct
  return { ...direct, ...usual, ...standard }
}

/** {scheme}://{host} that the caller used, or the operator's public address if it has the same host. */
export function baseUrlOf({ settings: { public_url, trusts } }: Pick<CommonDeps, 'settings'>, { raw }: { raw: Asked }): string {
  const { scheme, host } = reachedBy(raw, trusts)
  const known = public_url === null ? undefined : new URL(public_url)
  return known?.host === host ? known.origin : `${scheme}://${host}`
}

/** The network address of a request. */
export function sourceOf({ settings: { trusts } }: Pick<CommonDeps, 'settings'>, { raw }: { raw: Asked }): string {
  return reachedBy(raw, trusts).source
}

/** Whether a network address is this computer's own. */
export function isThisComputer(source: string): boolean {
  return source === '::1' || /^(::ffff:)?127\./.test(source)
}

/** Walks from the nearest proxy outwards while each hop was reported by a trusted proxy. */
function outermost(hops: readonly Hop[], trusts: Trusts): Hop {
  let reached: Hop = {}
  for (const hop of hops.toReversed()) {
    reached = { ...reached, ...definedOf(hop) }
    if (hop.source === undefined || !trusts(hop.source)) break
  }
  return reached
}

function forwardedHops(header: string | undefined): Hop[] {
  if (header === undefined) return []
  try {
    return parse(header).map((hop) => ({ source: toAddress(hop.for), scheme: toScheme(hop.proto), host: toHost(hop.host) }))
  } catch {
    return []
  }
}

/** Scheme and host are the nearest proxy's; only addresses are a list of hops. */
function usualHops(headers: Asked['headers']): Hop[] {
  const [addresses = [], schemes, hosts] = ['for', 'proto', 'host'].map((name) => single(headers[`x-forwarded-${name}`])?.split(','))
  const nearest: Hop = { scheme: toScheme(schemes?.at(-1)), host: toHost(hosts?.at(-1)) }
  const sources = addresses.map((text): Hop => ({ source: toAddress(text) }))
  return [...sources.slice(0, -1), { ...sources.at(-1), ...nearest }]
}

function isContradiction(one: Hop, other: Hop): boolean {
  const names = ['source', 'scheme', 'host'] as const
  return names.some((name) => one[name] !== undefined && other[name] !== undefined && one[name] !== other[name])
}

/** An address without brackets and port; undefined for obfuscated and unknown ones. */
function toAddress(text = ''): string | undefined {
  const [, bracketed, plain = text.trim()] = /^(?:\[([^\]]+)\]|([^:]+))(?::\w+)?$/.exec(text.trim()) ?? []
  const address = bracketed ?? plain
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isAddress ? ipaddr.process(address).toString() : undefined
}

function toScheme(text = ''): Reached['scheme'] | undefined {
  const scheme = text.trim().toLowerCase()
  return scheme === 'http' || scheme === 'https' ? scheme : undefined
}

function toHost(text = ''): string | undefined {
  return text.trim().toLowerCase() || undefined
}

function definedOf(hop: Hop): Hop {
  return Object.fromEntries(Object.entries(hop).filter(([, value]) => value !== undefined))
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}
