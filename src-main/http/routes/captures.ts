import { captureRoutes } from '#shared/contract/captures'
import { pageOpenCaptures } from '#main/store/capture-reader'
import { deleteCapture, updateCapture } from '#main/use-cases/captures/own-capture'
import { takeCapture } from '../captures'
import { type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toCapture } from '../representations/captures'

/** Captures (extension): files that are on no expense yet. */
export const captureEndpoints: Endpoint[] = [
  query(captureRoutes.list, async (context, { list }) => {
    const captures = await pageOpenCaptures(context.reader, context.caller.user_id, windowOf(list))
    const { rows, frame, next } = toPage(list, captures)
    return { body: { ...frame, captures: rows.map((row) => toCapture(context, row)) }, next }
  }),
  { kind: 'composite', route: captureRoutes.create, answer: takeCapture },
  mutation(captureRoutes.update, async (context, { params, body }) => ({
    body: toCapture(context, await updateCapture(context.tx, params.id, body)),
  })),
  mutation(captureRoutes.destroy, async ({ tx }, { params }) => {
    await deleteCapture(tx, params.id)
    return { body: null }
  }),
]
