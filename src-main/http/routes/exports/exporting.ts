import type { Route } from '#shared/contract/route'
import { type CompositeContext, type Endpoint, type Input, composite } from '../../endpoint'

/** The context of export and handover routes. */
export type ExportContext = CompositeContext<'exports'>

/** A route that uses the exports desk, which has its own state; `work` makes the body. */
export function exporting<R extends Route>(route: R, work: (context: ExportContext, input: Input<R>) => Promise<unknown>): Endpoint {
  return composite(route, async (context: ExportContext, input) => {
    const body = await work(context, input)
    return { status: route.status, body: body ?? null, headers: {} }
  })
}
