import ipaddr from 'ipaddr.js'

/** Whether an IP address is not one of the public internet: private, loopback, link-local and the like. */
export function isPrivateAddress(address: string): boolean {
  return !ipaddr.isValid(address) || ipaddr.process(address).range() !== 'unicast'
}

/** Whether an address of the web names a host inside by its number, or this very machine. */
export function isPrivateLiteral(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return host === 'localhost' || host.endsWith('.localhost') || (ipaddr.isValid(host) && isPrivateAddress(host))
}
