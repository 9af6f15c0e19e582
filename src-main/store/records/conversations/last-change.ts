import { isDeepStrictEqual } from 'node:util'
import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { type Activity, bySize, sentFirst, toActivity } from './activity-reader'
import type { SubjectType } from './new-activity'

/** Records with more changes than this offer no undo. */
const mostChanges = 50

const listChangeRowsOf = statement<{ type: SubjectType; id: number }, Row<'activities'>>((db, p) =>
  db
    .selectFrom('activities')
    .selectAll()
    .where('subject_type', '=', p('type'))
    .where('subject_id', '=', p('id'))
    .where((where) => where.or([where('source_type', 'is', null), where('source_type', '!=', 'Comment')]))
    .orderBy(sentFirst, 'desc')
    .orderBy(bySize, 'desc')
    .limit(mostChanges),
)

const isInverse = (one: Activity, other: Activity) =>
  isDeepStrictEqual(
    one.details.map(({ from, to, ...rest }) => ({ ...rest, from: to, to: from })),
    other.details,
  )

/**
 * The changes of a record, except comments, that an undo may mean, the likelier first: the last one that is neither undone nor an undo, and
 * the newest one, which may have reversed an earlier change by hand and looks like its undo.
 */
export async function listUndoable(reader: Reader, subject: { type: SubjectType; id: number }): Promise<Activity[]> {
  const left: Activity[] = []
  const changes = (await reader.all(listChangeRowsOf, subject)).map(toActivity)
  for (const change of changes.toReversed()) {
    const last = left.at(-1)
    if (last && isInverse(last, change)) left.pop()
    else left.push(change)
  }
  return [...new Set([...left.slice(-1), ...changes.slice(0, 1)])]
}
