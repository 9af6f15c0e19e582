import type { Activity as Entry } from '#shared/contract/activities'
import { activityAttributes } from '#shared/domain/activity-events'
import type { Activity } from '#main/store/activity-reader'
import type { ActivityDetail } from '#main/store/activity-writer'
import { findCorporativeCard } from '#main/store/corporative-card-reader'
import { presentEmoji } from '#main/use-cases/comments/emoji'
import type { Context } from '../endpoint'
import { type SentenceView, toIds, toSentence } from './activity-sentence'
import { type People, loadPeople, nameOf, toUserRepresentation } from './people'

/** Activities as the contract shows them (4.2, supplement 2), with all they embed read together. */
export async function toActivities(
  context: Context,
  rows: readonly Activity[],
  { isUnicode }: { isUnicode: boolean },
): Promise<Entry[]> {
  const user_ids = [...rows.map(({ user_id }) => user_id), ...idsIn(rows, 'user', 'users')]
  const people = await loadPeople(context, { user_ids, organization_ids: idsIn(rows, 'organization'), with_emails: true })
  const names = {
    users: new Map([...people.users].map(([id, user]) => [id, nameOf(user)])),
    organizations: new Map([...people.organizations].map(([id, { name }]) => [id, name])),
    cards: await cardNames(context, idsIn(rows, 'card')),
  }
  const present = (attribute: string, text: string) => (attribute === 'content' ? presentEmoji(text, isUnicode) : text)
  const view = { locale: context.locale, names, present }
  return rows.map((row) => toEntry(row, people, view))
}

/** The ids among the old and new values that mean records of these kinds. */
function idsIn(rows: readonly Activity[], ...kinds: ReadonlyArray<'user' | 'users' | 'organization' | 'card'>): number[] {
  const details = rows
    .flatMap((row) => row.details)
    .filter(({ attribute }) => kinds.some((kind) => kind === activityAttributes[attribute]))
  return details.flatMap(({ from, to }) => [...toIds(from), ...toIds(to)])
}

async function cardNames({ reader }: Context, ids: readonly number[]): Promise<Map<number, string>> {
  const cards = await Promise.all([...new Set(ids)].map((id) => findCorporativeCard(reader, id)))
  return new Map(cards.flatMap((card) => (card ? [[card.id, card.name]] : [])))
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
