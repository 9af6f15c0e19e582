import ipaddr from 'ipaddr.js'

/** Addresses that nobody on the internet has are the operator's own: a webhook must not be a way to reach them. */
export type AddressVerdict = 'public' | 'private'

/** 2000::/3, all that is given out for the internet. */
const globalUnicast = { network: ipaddr.IPv6.parse('2000::'), bits: 3 }

/**
 * Judges an IP address as the system writes one. Only what is known to lie on the internet is public: loopback, private,
 * link-local (cloud metadata among them), carrier-grade NAT, multicast, documentation and whatever else is reserved is not, nor
 * is any address of IPv6 that carries one of IPv4 by translation or tunnel (NAT64, 6to4, Teredo, IPv4-compatible): where those
 * come out, this machine cannot tell. An IPv4-mapped address is the IPv4 address it holds. What is no address is not public.
 */
export function judgeAddress(text: string): AddressVerdict {
  if (!ipaddr.isValid(text)) return 'private'
  const address = ipaddr.process(text)
  const isGlobal = address.kind() === 'ipv4' || address.match(globalUnicast.network, globalUnicast.bits)
  return isGlobal && address.range() === 'unicast' ? 'public' : 'private'
}

/** Where a webhook's events go, or what is wrong with its `url`. */
export type Target =
  | {
      readonly kind: 'target'
      readonly url: URL
      /** The address, where the host is one and not a name. */
      readonly address: string | undefined
    }
  | { readonly kind: 'invalid' }

/**
 * Reads the `url` of a webhook: http or https, and no credentials. The URL parser turns every spelling of an IPv4 address
 * (`2130706433`, `0x7f.1`, full-width digits) into the one with four numbers, so what is judged is what would be connected to.
 */
export function parseTarget(text: string): Target {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return { kind: 'invalid' }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { kind: 'target', url, address: ipaddr.isValid(host) ? host : undefined }
}
