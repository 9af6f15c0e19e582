import { type NotificationEvent, likeNotificationEvents, notificationEvents } from '#shared/domain/notification-events'
import { type Action, may } from '#shared/domain/permissions'
import type { Activity } from '#main/store/records/conversations/activity-reader'
import { findRole, listMembershipsIn } from '#main/store/records/organizations/membership-reader'
import { listParticipants } from '#main/store/records/conversations/participants'
import { isOpenLine } from '#main/store/records/organizations/statement-reader'
import type { Reader } from '#main/store/core/store'
import { type NotifiedItem, findNotifiedItem } from './find-notified-item'

/** Origins that notify nobody: imported data are not news. */
const quietOrigins: ReadonlySet<string> = new Set(['cli', 'demo', 'import'])

/** Whether nobody is notified of an activity, whatever its event. */
export function isQuiet({ origin }: Pick<Activity, 'origin'>): boolean {
  return quietOrigins.has(origin)
}

/** An activity's event of contract 2.18; undefined if nobody is notified of it by message. */
export function notificationEventOf(activity: Activity): NotificationEvent | undefined {
  const { event } = activity
  return isQuiet(activity) ? undefined : (likeNotificationEvents[event] ?? notificationEvents.find((known) => known === event))
}

const reading = {
  expense: 'expenses.read',
  reimbursement: 'reimbursements.read',
  advancement: 'advancements.read',
} as const satisfies Record<string, Action>

/**
 * The users to notify of an activity (contract 6.3; supplement 2, "Notifications"). Of money: its receiver and participants; of an expense or comment
 * also its responsible user and author; of a membership: the member and, for joining and leaving, the admins; of a card line that was asked about: its
 * holder, until it has an expense. Never the actor; only members who may see it now, or could until it was deleted.
 */
export async function listAudience(reader: Reader, activity: Activity): Promise<number[]> {
  const event = notificationEventOf(activity)
  if (event === undefined) return []
  const ids = activity.subject_type === 'Membership' ? await listMembersConcerned(reader, activity) : await listOfItem(reader, activity)
  // Without a manager it is nobody's question: the trail has it as the holder's.
  const isAutomatic = activity.subject_type === 'StatementLine' && activity.origin === 'system'
  return [...new Set(ids)].filter((id) => isAutomatic || id !== activity.user_id)
}

async function listOfItem(reader: Reader, activity: Activity): Promise<number[]> {
  const item = await findNotifiedItem(reader, activity)
  if (!item || (activity.subject_type === 'StatementLine' && !(await isOpenLine(reader, item.id)))) return []
  const { followable, id, receiver_id, responsible_ids } = item
  const participants = followable ? (await listParticipants(reader, { kind: followable, id })).map(({ user_id }) => user_id) : []
  const isShared = followable === 'expense' || activity.event.startsWith('comment_')
  const seeing: number[] = []
  for (const user_id of new Set([receiver_id, ...participants, ...(isShared ? responsible_ids : [])]))
    if (await maySee(reader, item, { user_id, is_participant: participants.includes(user_id) })) seeing.push(user_id)
  return seeing
}

async function maySee(
  reader: Reader,
  { followable, organization_id, receiver_id }: NotifiedItem,
  { user_id, is_participant }: { user_id: number; is_participant: boolean },
): Promise<boolean> {
  const role = await findRole(reader, { organization_id, user_id })
  // A former member still sees what they received, but gets no messages (supplement 3, "Participation").
  if (role === undefined) return false
  return may(reading[followable ?? 'advancement'], { role, is_receiver: receiver_id === user_id, is_participant })
}

async function listMembersConcerned(reader: Reader, { event, organization_id, details }: Activity): Promise<number[]> {
  if (organization_id === null) return []
  const member = details.find(({ attribute }) => attribute === 'user_id')
  const concerned = Number(member?.to ?? member?.from)
  const members = await listMembershipsIn(reader, organization_id)
  const admins = members.filter(({ role }) => role === 'admin').map(({ user_id }) => user_id)
  const isStill = members.some(({ user_id }) => user_id === concerned)
  const isLeaving = event === 'organization_remove_member' || event === 'organization_left'
  return [...(isStill || isLeaving ? [concerned] : []), ...(event === 'organization_role_changed' ? [] : admins)]
}
