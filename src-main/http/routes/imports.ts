import { importRoutes } from '#shared/contract/imports'
import type { Route } from '#shared/contract/route'
import { wordProblem } from '#main/use-cases/expenses/import-table'
import { composite } from '../composite'
import type { Call, Endpoint, Input, ServerDeps } from '../endpoint'
import { assertNoReplica, takeImport } from '../files/imports'
import { parseInput } from '../parse-input'
import { assertMayCall } from '../pipeline'
import { localeOf } from '../call'

type Work<R extends Route> = (deps: ServerDeps, call: Call, input: Input<R>) => Promise<unknown>

/** A route of imports. Callers who may not import are refused before the request is read. */
function importing<R extends Route>(route: R, work: Work<R>): Endpoint {
  return composite(route, async (deps, call) => {
    await assertMayCall(deps, call)
    const body = await work(deps, call, parseInput(route, call))
    return { status: route.status, body: body ?? null, headers: {} }
  })
}

function actorOf({ caller, request_id }: Call) {
  return { user_id: caller.user_id, request_id }
}

/** Imports (extension): files of expenses are checked, and then imported, in the background. */
export const importEndpoints: Endpoint[] = [
  importing(importRoutes.list, async ({ imports }, call, { params }) => ({
    imports: await imports.list(params.organization_id, localeOf(call)),
  })),
  composite(importRoutes.create, async (deps, call) => {
    await assertMayCall(deps, call)
    return { status: 201, body: await takeImport(deps, call), headers: {} }
  }),
  importing(importRoutes.show, ({ imports }, call, { params }) => imports.show(params, localeOf(call))),
  importing(importRoutes.replace, async ({ imports }, call, { params, body }) => {
    await imports.change(params, body, actorOf(call))
    return imports.show(params, localeOf(call))
  }),
  importing(importRoutes.run, async (deps, call, { params }) => {
    await assertNoReplica(deps)
    await deps.imports.run(params, actorOf(call))
    return deps.imports.show(params, localeOf(call))
  }),
  importing(importRoutes.destroy, async ({ imports }, _call, { params }) => imports.remove(params)),
  importing(importRoutes.problems, async ({ imports }, call, { params, query }) => {
    const { lines, next } = await imports.readProblems(params, query.after)
    return { problems: lines.map((problem) => wordProblem(localeOf(call), problem)), next }
  }),
  importing(importRoutes.changes, async ({ imports }, _call, { params, query }) => {
    const { lines, next } = await imports.readChanges(params, query.after)
    return { changes: lines, next }
  }),
]
