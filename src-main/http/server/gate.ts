import type { IncomingMessage } from 'node:http'
import { isLoopback } from '#shared/domain/doors/loopback'

/** Why a request is not even looked at. */
export type GateOutcome = 'pass' | 'misdirected' | 'cross_site'

/** The names that the server serves; `reached`: the one that the sender used, which a proxy may have replaced. */
export interface Allowed {
  readonly hosts: readonly string[]
  readonly reached: string
}

/** All values of a raw header, also where the parser would join or drop repeats. */
function rawValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '')
  return values
}

/**
 * Judges the raw request before routing (supplement, "Host and Origin"): exactly one `Host` from the allow-list, so that a
 * name rebound to this machine leads nowhere; and no page of another origin, so that none can use a visitor's session. A link there may
 * open one of our pages, as a message in a browser or an OpenID provider does: a page is the same for everyone.
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

/** Whether a browser opens a page of ours in a tab: nothing that is anyone's, and not inside another page. */
function opensPage(request: IncomingMessage): boolean {
  const { method, url = '/' } = request
  const [[mode], [target]] = [rawValues(request, 'sec-fetch-mode'), rawValues(request, 'sec-fetch-dest')]
  const isPage = /^\/(?!(?:api|files|uploads)\b)[\w/-]*$/i.test(url.split('?', 1)[0] ?? url)
  return method === 'GET' && mode === 'navigate' && target === 'document' && isPage
}

/** A loopback name counts with any port: a tunnel or a container has others, and no name of another computer can be made to lead here by it. */
function isAllowedHost(host: string, { hosts }: Allowed): boolean {
  if (hosts.includes(host)) return true
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(host) ?? []
  return hosts.includes(name) || isLoopback(name)
}

function isOurs(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}
