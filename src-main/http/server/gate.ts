import type { IncomingMessage } from 'node:http'

/** Why a request is not even looked at. */
export type GateOutcome = 'pass' | 'misdirected' | 'cross_site'

/** The names that the server serves; `reached`: the one that the sender used, which a proxy may have replaced. */
export interface Allowed {
  readonly hosts: readonly string[]
  readonly port: number
  readonly reached: string
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** All values of a raw header, also where the parser would join or drop repeats. */
function rawValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '')
  return values
}

/**
 * Judges the raw request before routing (supplement, "Host and Origin"): exactly one `Host` from the allow-list, so that a
 * name rebound to this machine leads nowhere; and no page of another origin, so that none can use a visitor's session.
 */
export function judgeRequest(request: IncomingMessage, allowed: Allowed): GateOutcome {
  const [host, ...more] = rawValues(request, 'host')
  if (host === undefined || more.length > 0 || !isAllowedHost(host.toLowerCase(), allowed)) return 'misdirected'
  if (!isAllowedHost(allowed.reached.toLowerCase(), allowed)) return 'misdirected'
  const origins = rawValues(request, 'origin')
  if (origins.some((origin) => !isOurs(origin, allowed.reached))) return 'cross_site'
  return rawValues(request, 'sec-fetch-site').includes('cross-site') ? 'cross_site' : 'pass'
}

function isAllowedHost(host: string, { hosts, port }: Allowed): boolean {
  if (hosts.includes(host)) return true
  const [, name = '', given = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? []
  return hosts.includes(name) || (loopback.has(name) && Number(given) === port)
}

function isOurs(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}
