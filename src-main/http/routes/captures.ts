import { captureRoutes } from '#shared/contract/captures'
import { pageOpenCaptures } from '#main/store/records/files/captures'
import { deleteCapture, updateCapture } from '#main/use-cases/captures/captures'
import { attachCaptures, captureLimits, takeCapture } from '../files/captures'
import { type Endpoint, type WriteContext, composite, mutation, query, taking } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toCapture } from '../representations/captures'

/** Captures (extension): files that are not on an expense yet. */
export const captureEndpoints: Endpoint[] = [
  query(captureRoutes.list, async (context, { list }) => {
    const captures = await pageOpenCaptures(context.reader, context.caller.user_id, windowOf(list))
    const { rows, frame, next } = toPage(list, captures)
    return { body: { ...frame, captures: rows.map((row) => toCapture(context, row)) }, next }
  }),
  taking(captureRoutes.create, captureLimits, takeCapture),
  composite(captureRoutes.attach, attachCaptures),
  mutation(captureRoutes.update, async (context: WriteContext<'captures'>, { params, body }) => {
    const capture = await updateCapture(context.tx, params.id, body)
    // A restored capture may not have been processed.
    context.tx.afterCommit(() => context.deps.captures.wake())
    return { body: toCapture(context, capture) }
  }),
  mutation(captureRoutes.destroy, async ({ tx }, { params }) => {
    await deleteCapture(tx, params.id)
    return { body: null }
  }),
]
