/** The typed address of a server; without a scheme it is a web address. */
export function withScheme(url: string): string {
  return url === '' || /^https?:/i.test(url) ? url : `https://${url}`
}
