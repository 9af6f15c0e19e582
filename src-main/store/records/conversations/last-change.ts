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

/** A record's last change, except comments, that is neither undone nor an undo; undefined if there is none. */
export async function findLastChange(reader: Reader, subject: { type: SubjectType; id: number }): Promise<Activity | undefined> {
  const left: Activity[] = []
  for (const change of (await reader.all(listChangeRowsOf, subject)).map(toActivity).toReversed()) {
    const last = left.at(-1)
    if (last && isInverse(last, change)) left.pop()
    else left.push(change)
  }
  return left.at(-1)
}
