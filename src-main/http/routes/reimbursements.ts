import { reimbursementRoutes } from '#shared/contract/reimbursements'
import { type Settlement, listSettlements } from '#main/store/records/settlements/settlements'
import { getVisibleSettlement } from '#main/use-cases/access/get-visible-settlement'
import { etagOf } from '#main/use-cases/access/preconditions'
import {
  createReimbursement,
  deleteReimbursement,
  previewReimbursement,
  updateReimbursement,
} from '#main/use-cases/reimbursements/reimbursements'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { only, toNewReimbursement, toReimbursements } from '../representations/settlements'

async function member(context: Context, row: Settlement) {
  return { body: only(await toReimbursements(context, [row])), etag: etagOf(row) }
}

/** Reimbursements (contract 4.1, supplement 2). */
export const reimbursementEndpoints: Endpoint[] = [
  query(reimbursementRoutes.list, async (context, { list }) => {
    const { user_id } = context.caller
    const { rows, frame, next } = toPage(
      list,
      await listSettlements(context.reader, 'reimbursement', { ...list, ...windowOf(list), user_id }),
    )
    return { body: { ...frame, reimbursements: await toReimbursements(context, rows) }, next }
  }),
  query(reimbursementRoutes.preview, async (context, { query: key }) => {
    const preview = await previewReimbursement(context.reader, key, context.caller.user_id)
    return { body: await toNewReimbursement(context, key, preview) }
  }),
  mutation(reimbursementRoutes.create, async (context, { body }) => member(context, await createReimbursement(context.tx, body))),
  query(reimbursementRoutes.show, async (context, { params: { id } }) => {
    const { user_id } = context.caller
    return member(context, (await getVisibleSettlement(context.reader, 'reimbursement', { id, user_id })).settlement)
  }),
  ...[reimbursementRoutes.replace, reimbursementRoutes.update].map((route) =>
    mutation(route, async (context, { params, body }) => member(context, await updateReimbursement(context.tx, params.id, body))),
  ),
  mutation(reimbursementRoutes.destroy, async ({ tx }, { params }) => {
    await deleteReimbursement(tx, params.id)
    return { body: null }
  }),
]
