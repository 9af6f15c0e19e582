import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { type Activity, bySize, sentFirst, toActivity, withoutUndone } from './activity-reader'
import type { SubjectType } from './activity-details'

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

/** The last change of a record, except comments, that stands: what an undo takes back. */
export async function findLastChange(reader: Reader, subject: { type: SubjectType; id: number }): Promise<Activity | undefined> {
  const newestFirst = (await reader.all(listChangeRowsOf, subject)).map(toActivity)
  return withoutUndone(newestFirst.toReversed()).at(-1)
}
