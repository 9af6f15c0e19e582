import { DomainError, invalid, notFound } from '#shared/domain/errors'
import { narrowBody } from '#shared/sync/narrow-body'
import { type JournalEntry, findJournalled, updateOperation } from '#main/store/sync/sync-journal'
import type { Tx } from '#main/store/core/store'
import { localeOf } from '../call'
import type { WriteContext, ServerDeps, Call } from '../endpoint'
import { answerWithin, contextWithin } from '../pipeline'
import { type ApiResponse, messageOf, toApiResponse } from '../refusals'
import { readRepresentation } from '../representation'
import type { Router } from '../router'
import { runSliced } from '../run-sliced'
import { readStanding, undecided } from './operations'
import { placeLocally } from './place-locally'

export type Decision = 'again' | 'mine' | 'theirs' | 'discard'

/** An operation, and what the person decides by; left out, it is whatever it is now. */
interface Decided {
  readonly op_id: string
  readonly seen?: string
}

/**
 * Carries out what a person decided about operations that did not come through; each stands alone. To do one again is another
 * operation, decided by what they see now; the old one is never sent again.
 */
export async function resolveOperations(
  deps: ServerDeps,
  call: Call,
  { operations, decision, router }: { operations: readonly Decided[]; decision: Decision; router: Router },
) {
  const steps = operations.map((decided) => async (tx: Tx) => {
    try {
      return await tx.savepoint((inner) => resolve(contextWithin(deps, call, inner), call, { ...decided, decision, router }))
    } catch (error) {
      if (error instanceof DomainError) return toApiResponse(error, localeOf(call))
      throw error
    }
  })
  const responses = await runSliced<ApiResponse | undefined>(deps, call, { steps, outOfRoom: (response) => response })
  const refused = operations.flatMap(({ op_id }, index) => {
    const response = responses[index]
    return response ? [{ op_id, message: messageOf(response) }] : []
  })
  return { decided: operations.length - refused.length, refused }
}

/** Answers why what was to be done again was refused. Throws {@link DomainError}. */
async function resolve(
  context: WriteContext,
  call: Call,
  { op_id, seen, decision, router }: Decided & { decision: Decision; router: Router },
): Promise<ApiResponse | undefined> {
  const { tx } = context
  const row = await findJournalled(tx, op_id)
  if (!row || row.user_id !== context.caller.user_id) throw notFound()
  if (!undecided.has(row.state)) throw invalid('decision', 'invalid')
  if (decision === 'again' || decision === 'mine') {
    if (seen !== undefined && (await readStanding(context, router, row)).seen !== seen) throw new DomainError({ kind: 'stale' })
    const response = await doAgain(context, call, { row, decision, router })
    if (response.status >= 400) return response
  }
  await updateOperation(tx, row.id, { state: 'discarded', settled_at: tx.now })
  return undefined
}

async function doAgain(
  context: WriteContext,
  call: Call,
  { row, decision, router }: { row: JournalEntry; decision: Decision; router: Router },
): Promise<ApiResponse> {
  const { tx, deps } = context
  const placed = await placeLocally(tx, row)
  if (!placed) throw notFound()
  const { path, body } = placed
  const match = router.match(row.method, path)
  if (match.kind !== 'found') throw notFound()
  const current = decision === 'mine' ? await readRepresentation(context, router, path) : undefined
  // Of a disagreement only what was changed is written: the rest is what others have made of it.
  const narrowed = current ? narrowBody(body, { current, write: Object.keys(row.mine) }) : body
  const patch = current ? router.match('PATCH', path) : match
  const chosen = patch.kind === 'found' ? patch : match
  return answerWithin(
    deps,
    {
      ...call,
      endpoint: chosen.endpoint,
      params: chosen.params,
      query: {},
      body: narrowed,
      path,
      headers: { accept_language: call.headers.accept_language },
    },
    tx,
  )
}
