/** The address of a server as it was typed: one without a scheme is one of the web. */
export function withScheme(url: string): string {
  return url === '' || /^https?:/i.test(url) ? url : `https://${url}`
}
