/** A path of these pages, whatever an address asks for: no other site is ever opened. */
export function toOwnPath(wanted: string): string {
  return wanted.startsWith('/') && URL.parse(wanted, location.origin)?.origin === location.origin ? wanted : '/'
}
