import ipaddr from 'ipaddr.js'

/** 2000::/3, the addresses assigned for the internet. */
const globalUnicast = [ipaddr.IPv6.parse('2000::'), 3] as const

/**
 * Whether an IP address is not known to be on the public internet: loopback, private, link-local (including cloud metadata), carrier-grade NAT,
 * multicast, documentation and other reserved ranges, and IPv6 addresses that embed IPv4 by translation or tunnel (NAT64, 6to4, Teredo), whose exit
 * is unknown here. An IPv4-mapped address counts as its IPv4 address.
 */
export function isPrivateAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return true
  const address = ipaddr.process(text)
  const isGlobal = address.kind() === 'ipv4' || address.match([...globalUnicast])
  return !isGlobal || address.range() !== 'unicast'
}

/**
 * Whether a URL names a private host, or this machine, by number. The URL parser normalizes every spelling of an IPv4 address (`2130706433`,
 * `0x7f.1`, full-width digits), so the checked address is the connected one.
 */
export function isPrivateLiteral(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return host === 'localhost' || host.endsWith('.localhost') || (ipaddr.isValid(host) && isPrivateAddress(host))
}
