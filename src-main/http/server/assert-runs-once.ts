import type { RouteOptions } from 'fastify'

/** Throws for a write that would forget `Idempotency-Key`: the server does not start. Endpoints of the API keep it in the pipeline. */
export function assertRunsOnce({ method, url, config }: RouteOptions): void {
  const isRead = [method].flat().every((one) => ['GET', 'HEAD', 'OPTIONS'].includes(one))
  if (!isRead && !config?.apiRoute && !config?.runsOnce) throw new Error(`${url} does not keep Idempotency-Key`)
}
