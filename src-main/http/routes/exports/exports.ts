import { type Export, exportRoutes } from '#shared/contract/instance/exports'
import { exportProfileRoutes } from '#shared/contract/organization-records/export-profiles'
import type { Route } from '#shared/contract/route'
import { exportProfile } from '#shared/records/export-profile'
import { assertLayout, exportProfileRecord, findLayout, previewLayout } from '#main/use-cases/export-profiles/export-profiles'
import { countWritten } from '#main/use-cases/exports/booked-expenses'
import { scopeOf } from '#main/use-cases/exports/run-export'
import { type CompositeContext, type Endpoint, type Input, composite } from '../../endpoint'
import { exportUrl } from '../../representations/file-links'
import { toOrganizationRecord } from '../../representations/records'
import { organizationRecordEndpoints } from '../organization-records'

/** The context of export and handover routes. */
export type ExportContext = CompositeContext<'exports'>

/** A route that uses the exports desk, which has its own state; `work` makes the body. */
export function exporting<R extends Route>(route: R, work: (context: ExportContext, input: Input<R>) => Promise<unknown>): Endpoint {
  return composite(route, async (context: ExportContext, input) => {
    const body = await work(context, input)
    return { status: route.status, body: body ?? null, headers: {} }
  })
}

/** An organization's own file formats (extension of the contract). */
export const exportProfileEndpoints: Endpoint[] = organizationRecordEndpoints({
  routes: exportProfileRoutes,
  record: exportProfileRecord,
  show: (_context, _role, rows) => rows.map((row) => toOrganizationRecord(exportProfile, row)),
})

/** An export with its file's address. */
function linked(context: ExportContext, shown: Export): Export {
  return { ...shown, url: shown.state === 'finished' ? exportUrl(context, shown) : null }
}

/** Exports (extension): files of expenses, written in the background for the caller. */
export const exportEndpoints: Endpoint[] = [
  exporting(exportRoutes.list, async (context) => {
    const own = await context.deps.exports.list(context.caller.user_id, context.locale)
    return { exports: own.map((shown) => linked(context, shown)) }
  }),
  exporting(exportRoutes.create, async (context, { body }) => {
    const { caller, uid: id } = context
    const { user_id } = caller
    const layout = await findLayout(context.reader, body, user_id)
    await context.deps.exports.add(body, { id, user_id, locale: context.locale, layout })
    return linked(context, await context.deps.exports.show({ id, user_id }, context.locale))
  }),
  exporting(exportRoutes.count, ({ reader, caller: { user_id } }, { body }) =>
    countWritten(reader, { scope: scopeOf(body, user_id), format: body.format, handover: null }),
  ),
  exporting(exportRoutes.preview, async ({ reader, caller }, { body: { organization_id, layout } }) => {
    const lines = await previewLayout(reader, { organization_id, user_id: caller.user_id, layout: assertLayout(layout) })
    return { lines }
  }),
  exporting(exportRoutes.show, async (context, { params: { id } }) =>
    linked(context, await context.deps.exports.show({ id, user_id: context.caller.user_id }, context.locale)),
  ),
  exporting(exportRoutes.destroy, ({ deps, caller }, { params: { id } }) => deps.exports.remove({ id, user_id: caller.user_id })),
]
