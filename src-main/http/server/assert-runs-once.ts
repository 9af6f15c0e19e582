import type { RouteOptions } from 'fastify'

/** Throws for a write that ignores `Idempotency-Key`, so that the server does not start. For endpoints of the API the pipeline handles it. */
export function assertRunsOnce({ method, url, config }: RouteOptions): void {
  const isRead = [method].flat().every((one) => ['GET', 'HEAD', 'OPTIONS'].includes(one))
  if (!isRead && !config?.apiRoute && !config?.runsOnce) throw new Error(`${url} does not keep Idempotency-Key`)
}
