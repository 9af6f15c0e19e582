import { importRoutes } from '#shared/contract/imports'
import type { Route } from '#shared/contract/route'
import { wordProblem } from '#main/use-cases/expenses/import-table'
import { type Endpoint, type Input, composite, taking } from '../endpoint'
import { type ImportContext, assertNoReplica, importLimits, takeImport } from '../files/imports'

/** A route of imports, which have their own state; `work` makes the body. */
function importing<R extends Route>(route: R, work: (context: ImportContext, input: Input<R>) => Promise<unknown>): Endpoint {
  return composite(route, async (context: ImportContext, input) => {
    const body = await work(context, input)
    return { status: route.status, body: body ?? null, headers: {} }
  })
}

function actorOf({ caller, request_id }: ImportContext) {
  return { user_id: caller.user_id, request_id }
}

/** Imports (extension): files of expenses are checked and then imported, in the background. */
export const importEndpoints: Endpoint[] = [
  importing(importRoutes.list, async ({ deps: { imports }, locale }, { params }) => ({
    imports: await imports.list(params.organization_id, locale),
  })),
  taking(importRoutes.create, importLimits, takeImport),
  importing(importRoutes.show, ({ deps: { imports }, locale }, { params }) => imports.show(params, locale)),
  importing(importRoutes.replace, async (context, { params, body }) => {
    const { imports } = context.deps
    await imports.change(params, body, actorOf(context))
    return imports.show(params, context.locale)
  }),
  importing(importRoutes.run, async (context, { params }) => {
    const { imports } = context.deps
    await assertNoReplica(context.deps)
    await imports.run(params, actorOf(context))
    return imports.show(params, context.locale)
  }),
  importing(importRoutes.destroy, ({ deps: { imports } }, { params }) => imports.remove(params)),
  importing(importRoutes.problems, async ({ deps: { imports }, locale }, { params, query }) => {
    const { lines, next } = await imports.readProblems(params, query.after)
    return { problems: lines.map((problem) => wordProblem(locale, problem)), next }
  }),
  importing(importRoutes.changes, async ({ deps: { imports } }, { params, query }) => {
    const { lines, next } = await imports.readChanges(params, query.after)
    return { changes: lines, next }
  }),
]
