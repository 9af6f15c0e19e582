const names: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a host name, in the form of `URL`, is this computer, so that requests to it stay private. */
export function isLoopback(hostname: string): boolean {
  return names.has(hostname)
}
