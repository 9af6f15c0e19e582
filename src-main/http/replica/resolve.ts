import { invalid, notFound } from '#shared/domain/errors'
import { narrowBody } from '#shared/sync/narrow-body'
import { type JournalEntry, findJournalled, updateOperation } from '#main/store/sync-journal'
import { router } from '../endpoints'
import type { WriteContext } from '../endpoint'
import { type Call, answerWithin } from '../pipeline'
import type { Answer } from '../refusals'
import { readRepresentation } from '../representation'
import { placeLocally } from './place-locally'

export type Decision = 'again' | 'mine' | 'theirs' | 'discard'

/** Operations about which a person may decide. */
const open = new Set<JournalEntry['state']>(['conflict', 'rejected', 'parked', 'quarantined'])

/**
 * Carries out what a person decided about an operation that did not come through. To do it again is another operation, decided by
 * what they see now; the old one is never sent again. Throws {@link Refused}.
 */
export async function resolveOperation(
  context: WriteContext,
  call: Call,
  { op_id, decision }: { op_id: string; decision: Decision },
): Promise<{ refused?: Answer }> {
  const { tx } = context
  const row = await findJournalled(tx, op_id)
  if (!row || row.user_id !== context.caller.user_id) throw notFound()
  if (!open.has(row.state)) throw invalid('decision', 'invalid')
  if (decision === 'again' || decision === 'mine') {
    const answer = await doAgain(context, call, { row, decision })
    if (answer.status >= 400) return { refused: answer }
  }
  updateOperation(tx, row.id, { state: 'discarded', settled_at: tx.now })
  return {}
}

async function doAgain(
  context: WriteContext,
  call: Call,
  { row, decision }: { row: JournalEntry; decision: Decision },
): Promise<Answer> {
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
