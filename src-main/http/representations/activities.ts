import type { Activity as Entry } from '#shared/contract/activities'
import type { Activity } from '#main/store/records/conversations/activity-reader'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'
import { idsIn, loadRecordNames } from '#main/use-cases/activities/names'
import { listSeenExpenses, withoutUnseen } from '#main/use-cases/activities/seen-expenses'
import { type SentenceView, toSentence } from '#main/use-cases/activities/sentence'
import { presentEmoji } from '#main/use-cases/comments/comments'
import type { Context } from '../endpoint'
import { type People, loadPeople, nameOf, toUserRepresentation } from './people'

/** Activities in the contract's form (4.2, supplement 2); reads everything they embed together. */
export async function toActivities(context: Context, stored: readonly Activity[], { isUnicode }: { isUnicode: boolean }): Promise<Entry[]> {
  const expenses = await listSeenExpenses(context.reader, context.caller.user_id, stored)
  const rows = stored.map((row) => withoutUnseen(row, expenses))
  const user_ids = [...rows.map(({ user_id }) => user_id), ...idsIn(rows, 'user', 'users')]
  const people = await loadPeople(context, { user_ids, organization_ids: idsIn(rows, 'organization'), with_emails: true })
  const names = {
    users: new Map([...people.users].map(([id, user]) => [id, nameOf(user)])),
    organizations: new Map([...people.organizations].map(([id, { name }]) => [id, name])),
    ...(await loadRecordNames(context.reader, rows)),
    expenses,
  }
  const present = (attribute: string, text: string) => (attribute === 'content' ? presentEmoji(text, isUnicode) : text)
  const view = { locale: context.locale, names, timezone: 'UTC', present }
  return rows.map((row) => toEntry(row, people, view))
}

function toEntry(row: Activity, people: People, view: SentenceView): Entry {
  const { id, uid, subject_type, subject_id, source_type, source_id, occurred_at, created_at, user_id, details } = row
  return {
    id,
    uid,
    subject: { id: subject_id, type: subject_type },
    ...(source_type === null || source_id === null ? {} : { source: { id: source_id, type: source_type } }),
    occurred_at,
    created_at,
    user: toUserRepresentation(people, user_id),
    changes: toSentence(row, view),
    details: details.map((detail) => toDetail(detail, view)),
  }
}

function toDetail({ attribute, from, to }: ActivityDetail, view: SentenceView): Entry['details'][number] {
  const present = (value: ActivityDetail['from']) => (typeof value === 'string' ? view.present(attribute, value) : value)
  return { attribute, from: present(from), to: present(to) }
}
