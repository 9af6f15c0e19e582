import ipaddr from 'ipaddr.js'

/** 2000::/3, all that is given out for the internet. */
const globalUnicast = [ipaddr.IPv6.parse('2000::'), 3] as const

/**
 * Whether an IP address is not known to lie on the public internet: loopback, private, link-local (cloud metadata among them),
 * carrier-grade NAT, multicast, documentation and whatever else is reserved is not, nor is any address of IPv6 that carries one of
 * IPv4 by translation or tunnel (NAT64, 6to4, Teredo): where those come out, this machine cannot tell. An IPv4-mapped address is the
 * IPv4 address it holds.
 */
export function isPrivateAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return true
  const address = ipaddr.process(text)
  const isGlobal = address.kind() === 'ipv4' || address.match([...globalUnicast])
  return !isGlobal || address.range() !== 'unicast'
}

/**
 * Whether an address of the web names a host inside by its number, or this very machine. The URL parser turns every spelling of an
 * IPv4 address (`2130706433`, `0x7f.1`, full-width digits) into the one with four numbers, so what is judged is what would be
 * connected to.
 */
export function isPrivateLiteral(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return host === 'localhost' || host.endsWith('.localhost') || (ipaddr.isValid(host) && isPrivateAddress(host))
}
