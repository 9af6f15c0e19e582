const names: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a host name, as `URL` writes it, is this computer: what is sent there is not seen by others. */
export function isLoopback(hostname: string): boolean {
  return names.has(hostname)
}
