import type { Tx } from '../../core/store'
import { recordActivity } from '../conversations/activity-writer'
import type { NewActivity } from '../conversations/activity-details'

/** Records an event of a user's account in the trail. */
export async function recordOwnActivity(
  tx: Tx,
  { user_id, ...activity }: Pick<NewActivity, 'event' | 'details'> & { user_id: number },
): Promise<void> {
  await recordActivity(tx, { organization_id: null, subject: { type: 'User', id: user_id }, ...activity })
}
