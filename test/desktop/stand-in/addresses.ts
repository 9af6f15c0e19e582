/**
 * Chromium cannot be given a scheme from outside: `app://outlay/x` is `http://outlay.localhost/x` in it, a secure context with an
 * origin of its own that leads to a bridge in this process.
 */
export const schemes = new Map<string, (request: Request) => Response | Promise<Response>>()

/** The address by which Chromium knows one of the application's. */
export function toChromium(address: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z-]*):\/\/([^/?#]+)(.*)$/.exec(address) ?? []
  return schemes.has(scheme) ? `http://${host}.localhost${rest}` : address
}

/** The address by which the application knows one of Chromium's. */
export function fromChromium(address: string): string {
  const [, host, rest = '/'] = /^http:\/\/([^/?#:]+)\.localhost(?::\d+)?(.*)$/.exec(address) ?? []
  const [scheme] = schemes.keys()
  return host === undefined || scheme === undefined ? address : `${scheme}://${host}${rest}`
}
