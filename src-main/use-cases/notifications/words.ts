import type { Row } from '#db/schema'
import { formatAmount, sumByCurrency } from '#shared/domain/money'
import { localeOf } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { languageOf } from '#main/store/records/users/user-language'
import { listOrganizationsByIds } from '#main/store/records/organizations/organization-reader'
import type { Reader } from '#main/store/core/store'
import { loadNames } from '../activities/names'
import { type Names, toSentence } from '../activities/sentence'
import type { Told as Notified } from './deliveries'

/** What a notification is about. */
type Told = Pick<Notified, 'activity' | 'item'>

/** What writing a person's notifications needs. */
export interface Words {
  readonly user: Row<'users'>
  readonly names: Names
  readonly organizations: ReadonlyMap<number, string>
}

/** Reads the names that notifications of a person use. */
export async function loadWords(reader: Reader, user: Row<'users'>, told: readonly Told[]): Promise<Words> {
  const activities = told.map(({ activity }) => activity)
  const ids = activities.flatMap(({ organization_id }) => organization_id ?? [])
  const organizations = await listOrganizationsByIds(reader, [...new Set(ids)])
  return {
    user,
    // Only entries of expense reports name expenses, and no notification is about one.
    names: { ...(await loadNames(reader, activities)), expenses: new Map() },
    organizations: new Map(organizations.map(({ id, name }) => [id, oneLine(name)])),
  }
}

/** A text of the catalogue in the person's language. */
export function say({ user }: Words, key: string, params: Readonly<Record<string, string | number>> = {}): string {
  return translate(languageOf(user), `mail:${key}`, params)
}

/** Puts people's text on one line, so that it can neither end a header nor look like our own line; keeps the spaces inside amounts. */
export function oneLine(text: string): string {
  return text.replace(/(?:(?![\u00a0\u202f])[\s\p{Cc}])+/gu, ' ').trim()
}

/** Cuts a text to this many characters. */
export function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}

/** A sentence about the event. */
export function wordSentence({ user, names }: Words, { activity }: Told): string {
  const view = { locale: languageOf(user), names, timezone: user.timezone, present: (_: string, text: string) => text }
  return oneLine(toSentence(activity, view))
}

/** The subject that groups notifications. */
export function groupOf({ activity: { subject_type, subject_id, organization_id } }: Told): string {
  if (subject_type === 'StatementLine') return `StatementLines ${String(organization_id)}`
  return subject_type === 'Membership' ? `Organization ${String(organization_id)}` : `${subject_type} ${subject_id}`
}

/** The subject of a notification: a description, or a kind and number; the organization if it is about that. */
export function titleOf(words: Words, { activity: { subject_type, organization_id }, item }: Told): string {
  if (!item) return words.organizations.get(organization_id ?? 0) ?? ''
  if (subject_type === 'StatementLine') return say(words, 'items.StatementLine')
  const name = oneLine(item.description ?? '')
  return name === '' ? say(words, `items.${subject_type}`, { id: item.id }) : cut(name, 80)
}

/** The amount of a notification's subject, in the person's language. */
export function amountOf({ user }: Words, { activity, item }: Told): string | undefined {
  // The sentence of a card line has its amount.
  return item && activity.subject_type !== 'StatementLine' ? formatAmount({ ...item, locale: localeOf(languageOf(user)).tag }) : undefined
}

const places: Readonly<Record<string, string>> = {
  Expense: '/expenses/',
  Reimbursement: '/reimbursements/',
  Advancement: '/advances/',
  Accountability: '/accountabilities/',
}

/** Its path in Outlay; undefined if it is gone, or no longer visible to the person. */
export function pathOf({ user }: Words, { activity: { event, subject_type, subject_id, details } }: Told): string | undefined {
  const place = places[subject_type]
  if (place !== undefined) return /^(expense|reimbursement|advancement)_destroyed$/.test(event) ? undefined : `${place}${subject_id}`
  if (subject_type === 'StatementLine') return '/statements?list=linesLeft'
  if (subject_type === 'AdvancementDevolution') return '/advances'
  if (subject_type === 'StandIn') return '/stand-ins'
  const isOut = event === 'organization_remove_member' && details.some(({ from }) => from === user.id)
  return isOut ? undefined : '/team'
}

/** Events for which the amount is relevant. */
const ofMoney =
  /^((expense|reimbursement|advancement|advancement_devolution)_(created|updated|destroyed|status_changed)|statement_line_asked)$/

/** The number of each kind of event, and their amounts by currency. */
export function summarize(words: Words, told: readonly Told[]): string[] {
  const kinds = Map.groupBy(told, ({ activity: { event, details } }) => {
    const status = event === 'expense_status_changed' ? details.find(({ attribute }) => attribute === 'status')?.to : undefined
    return status === undefined
      ? say(words, `kinds.${event}`)
      : say(words, 'movedTo', { status: translate(languageOf(words.user), `status:${status}`) })
  })
  return [...kinds].map(([what, of]) => {
    const sum = sumOf(words, of)
    return sum === '' ? say(words, 'summaryLine', { what, count: of.length }) : say(words, 'summarySum', { what, count: of.length, sum })
  })
}

function sumOf({ user }: Words, told: readonly Told[]): string {
  const locale = localeOf(languageOf(user)).tag
  const concerned = told.filter(({ activity }) => ofMoney.test(activity.event))
  const items = [...new Map(concerned.map((one) => [`${one.activity.subject_type} ${one.activity.subject_id}`, one.item])).values()].filter(
    (item) => item !== undefined,
  )
  return new Intl.ListFormat(locale).format(sumByCurrency(items).map((sum) => formatAmount({ ...sum, locale })))
}
