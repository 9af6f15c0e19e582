import { advancementRoutes } from '#shared/contract/advancements'
import { devolutionRoutes } from '#shared/contract/advancement-devolutions'
import { listDevolutions } from '#main/store/records/settlements/devolutions'
import { type Settlement, listSettlements } from '#main/store/records/settlements/settlements'
import { getVisibleSettlement } from '#main/use-cases/access/get-visible-settlement'
import { etagOf } from '#main/use-cases/access/preconditions'
import { createAdvancement, deleteAdvancement, recordDevolution, updateAdvancement } from '#main/use-cases/advancements/advancements'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { only, toAdvancements, toDevolutions } from '../representations/settlements'

async function member(context: Context, row: Settlement) {
  return { body: only(await toAdvancements(context, [row])), etag: etagOf(row) }
}

const devolutionEndpoints: Endpoint[] = [
  query(devolutionRoutes.list, async (context, { list }) => {
    const { rows, frame, next } = toPage(
      list,
      await listDevolutions(context.reader, context.caller.user_id, { ...list, ...windowOf(list) }),
    )
    return { body: { ...frame, advancement_devolutions: await toDevolutions(context, rows) }, next }
  }),
  mutation(devolutionRoutes.create, async (context, { body }) => {
    const devolution = await recordDevolution(context.tx, body)
    return { body: only(await toDevolutions(context, [devolution])), etag: etagOf(devolution) }
  }),
]

/** Advancements and their devolutions (contract 4.2, 4.3). */
export const advancementEndpoints: Endpoint[] = [
  query(advancementRoutes.list, async (context, { list }) => {
    const { user_id } = context.caller
    const { rows, frame, next } = toPage(
      list,
      await listSettlements(context.reader, 'advancement', { ...list, ...windowOf(list), user_id }),
    )
    return { body: { ...frame, advancements: await toAdvancements(context, rows) }, next }
  }),
  mutation(advancementRoutes.create, async (context, { body }) => member(context, await createAdvancement(context.tx, body))),
  query(advancementRoutes.show, async (context, { params: { id } }) => {
    const { user_id } = context.caller
    return member(context, (await getVisibleSettlement(context.reader, 'advancement', { id, user_id })).settlement)
  }),
  ...[advancementRoutes.replace, advancementRoutes.update].map((route) =>
    mutation(route, async (context, { params, body }) => member(context, await updateAdvancement(context.tx, params.id, body))),
  ),
  mutation(advancementRoutes.destroy, async ({ tx }, { params }) => {
    await deleteAdvancement(tx, params.id)
    return { body: null }
  }),
  ...devolutionEndpoints,
]
