import type { userNotificationKinds } from '#shared/records/user-notification'
import type { Activity } from '#main/store/records/conversations/activity-reader'
import { listMentionedIds } from '#main/store/records/conversations/comments'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findAccountability } from '#main/store/records/settlements/accountability-reader'
import type { NewUserNotification } from '#main/store/records/users/user-notifications'
import type { Reader } from '#main/store/core/store'
import { isQuiet } from './audience'
import { findNotifiedItem } from './find-notified-item'

type Kind = (typeof userNotificationKinds)[number]

/** What concerns the claimant of money, by event. */
const kindsOfMoney: Readonly<Partial<Record<Activity['event'], Kind>>> = {
  expense_created: 'money',
  expense_updated: 'money',
  expense_status_changed: 'decision',
  expense_destroyed: 'deleted',
  reimbursement_created: 'money',
  reimbursement_updated: 'money',
  reimbursement_destroyed: 'deleted',
  advancement_created: 'money',
  advancement_updated: 'money',
  advancement_destroyed: 'deleted',
  advancement_devolution_created: 'money',
}

/**
 * The notifications of an activity in users' inboxes, whatever their switches. Of `audience`, the users to notify of it: of a comment all, of money its
 * claimant, of a card line its holder, of a role its member. Also the delegate of a stand-in and the claimant of a report. Never the actor.
 */
export async function listConcerns(reader: Reader, activity: Activity, audience: readonly number[]): Promise<NewUserNotification[]> {
  if (isQuiet(activity)) return []
  const of = (user_ids: readonly number[], kind: Kind) => user_ids.map((user_id) => ({ user_id, activity_id: activity.id, kind }))
  const among = (user_id: number | undefined) => audience.filter((one) => one === user_id)
  switch (activity.event) {
    case 'comment_created': {
      const id = activity.source_id ?? 0
      const mentioned = (await listMentionedIds(reader, [id])).get(id) ?? []
      return audience.flatMap((user_id) => of([user_id], mentioned.includes(user_id) ? 'mention' : 'comment'))
    }
    case 'statement_line_asked':
      return of(audience, 'question')
    case 'organization_role_changed':
      return of(audience, 'role')
    case 'stand_in_created':
      return of(await listOthers(reader, activity, Number(valueOf(activity, 'delegate_id'))), 'stand_in')
    case 'accountability_status_changed': {
      const report = await findAccountability(reader, activity.subject_id)
      return report ? of(await listOthers(reader, activity, report.receiver_id), 'decision') : []
    }
    default: {
      const kind = kindsOfMoney[activity.event]
      return kind === undefined || audience.length === 0 ? [] : of(among((await findNotifiedItem(reader, activity))?.receiver_id), kind)
    }
  }
}

function valueOf({ details }: Activity, name: Activity['details'][number]['attribute']) {
  return details.find(({ attribute }) => attribute === name)?.to
}

/** The user, if they are a member and did not do it themselves. */
async function listOthers(reader: Reader, { organization_id, user_id: actor }: Activity, user_id: number): Promise<number[]> {
  if (organization_id === null || user_id === actor) return []
  return (await findRole(reader, { organization_id, user_id })) === undefined ? [] : [user_id]
}
