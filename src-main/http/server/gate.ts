import type { IncomingMessage } from 'node:http'
import { isLoopback } from '#shared/domain/doors/loopback'

/** Whether a request passes, or why it is rejected unread. */
export type GateOutcome = 'pass' | 'misdirected' | 'cross_site'

/** The server's host names; `reached`: the name that the sender used, which a proxy may have replaced. */
export interface Allowed {
  readonly hosts: readonly string[]
  readonly reached: string
}

/** All values of a raw header, even where the parser joins or drops repeats. */
function rawValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '')
  return values
}

/**
 * Checks the raw request before routing (supplement, "Host and Origin"). It needs exactly one allowed `Host`, so that a name rebound to this machine
 * is rejected, and no page of another origin may use a visitor's session. A link there may open one of our pages, as from an e-mail or an OpenID
 * provider: pages are the same for everyone.
 */
export function judgeRequest(request: IncomingMessage, allowed: Allowed): GateOutcome {
  const [host, ...more] = rawValues(request, 'host')
  if (host === undefined || more.length > 0 || !isAllowedHost(host.toLowerCase(), allowed)) return 'misdirected'
  if (!isAllowedHost(allowed.reached.toLowerCase(), allowed)) return 'misdirected'
  const origins = rawValues(request, 'origin')
  if (origins.some((origin) => !isOurs(origin, allowed.reached))) return 'cross_site'
  const isCrossSite = rawValues(request, 'sec-fetch-site').includes('cross-site')
  return isCrossSite && !opensPage(request) ? 'cross_site' : 'pass'
}

/** Whether a browser opens one of our pages in a tab: no user data, and not inside another page. */
function opensPage(request: IncomingMessage): boolean {
  const { method, url = '/' } = request
  const [[mode], [target]] = [rawValues(request, 'sec-fetch-mode'), rawValues(request, 'sec-fetch-dest')]
  const isPage = /^\/(?!(?:api|files|uploads)\b)[\w/-]*$/i.test(url.split('?', 1)[0] ?? url)
  return method === 'GET' && mode === 'navigate' && target === 'document' && isPage
}

/** A loopback name is accepted with any port: tunnels and containers use others, and no other computer's name can lead here this way. */
function isAllowedHost(host: string, { hosts }: Allowed): boolean {
  if (hosts.includes(host)) return true
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(host) ?? []
  return hosts.includes(name) || isLoopback(name)
}

function isOurs(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}
