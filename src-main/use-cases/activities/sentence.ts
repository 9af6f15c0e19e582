import { type ActivityAttribute, activityAttributes } from '#shared/records/audited'
import { formatRate } from '#shared/domain/distance'
import { parseAmount, formatAmount } from '#shared/domain/money'
import { type Language, localeOf } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { Activity } from '#main/store/records/conversations/activity-reader'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'

type Value = ActivityDetail['from']

/** The names that sentences show instead of ids. */
export interface Names {
  readonly users: ReadonlyMap<number, string>
  readonly organizations: ReadonlyMap<number, string>
  readonly cards: ReadonlyMap<number, string>
  readonly tags: ReadonlyMap<number, string>
  /** The titles of expenses that the reader may see. */
  readonly expenses: ReadonlyMap<number, string | undefined>
}

/** How to write a sentence. */
export interface SentenceView {
  readonly locale: Language
  readonly names: Names
  readonly timezone: string
  /** Transforms an attribute's text: the emojis of comments. */
  present(attribute: string, text: string): string
}

const longest = 280
/** The most expenses of a report that a sentence names. */
const mostNamed = 10
const longestName = 60

/** Attributes with their own words in sentences: they are not listed among the changes again. */
const named: ReadonlySet<string> = new Set(['role', 'content', 'participant_id', 'stands_in_for', 'undo'] satisfies ActivityAttribute[])

/** Whether the record is new or deleted: its values are listed, and its name is in the sentence already. */
const isWhole = (event: string) => /_(created|destroyed)$/.test(event) && !event.startsWith('attachment_')

function isNamed(event: string, attribute: string): boolean {
  if (attribute === 'status') return event.endsWith('_status_changed')
  if (attribute === 'name' && isWhole(event)) return true
  if (attribute === 'user_id') return event.startsWith('organization_')
  return named.has(attribute) || (attribute === 'file' && event === 'attachment_destroyed')
}

/** The currency of each amount: with the amount, or in a separate detail if it changed, which is then not listed. */
const currencyOf = new Map<string, string>([
  ['amount', 'currency'],
  ['approved_amount', 'approved_amount_currency'],
])

/** A sentence about an activity (supplement 2, "Activities"). */
export function toSentence(activity: Activity, view: SentenceView): string {
  const { details, event, user_id } = activity
  const params: Record<string, string> = { user: view.names.users.get(user_id) ?? '' }
  const phrases: string[] = []
  const spoken = new Set(details.flatMap(({ attribute }) => currencyOf.get(attribute) ?? []))
  for (const detail of details) {
    const { attribute } = detail
    const from = wordValue(detail, 'from', { activity, view })
    const to = wordValue(detail, 'to', { activity, view })
    params[`${attribute}_from`] = from
    params[`${attribute}_to`] = to
    const isSubject = attribute === 'responsible_user_id' && detail.to === user_id
    if (isSubject || isNamed(event, attribute) || spoken.has(attribute)) continue
    if (activityAttributes[attribute] === 'expenses' && !isWhole(event)) {
      phrases.push(...wordMoves(detail, view))
      continue
    }
    const words = { attribute: translate(view.locale, `activities:attributes.${attribute}`), from, to }
    if (!isWhole(event)) phrases.push(translate(view.locale, 'activities:change', words))
    else if (!isOff(detail.to ?? detail.from))
      phrases.push(translate(view.locale, 'activities:value', { ...words, value: detail.to === null ? from : to }))
  }
  if (params.stands_in_for_to)
    params.user = translate(view.locale, 'activities:standing_in', { user: params.user ?? '', person: params.stands_in_for_to })
  const list = new Intl.ListFormat(localeOf(view.locale).tag).format(phrases)
  const changes = list && (isWhole(event) ? ` (${list})` : `: ${list}`)
  const sentence = translate(view.locale, `activities:events.${event}`, { ...params, changes })
  return params.undo_to ? translate(view.locale, 'activities:undo', { sentence }) : sentence
}

/** Empty values of a new record are left out. */
const isOff = (value: Value) => value === null || value === '' || value === false

interface Wording {
  readonly activity: Activity
  readonly view: SentenceView
}

/** The keys of the words for choices. */
const choiceTexts = {
  policy_weight: 'policies:weight',
  policy_condition: 'policies:condition',
  policy_period: 'policies:period',
  approval_rule: 'approvals:rule',
} as const

function wordValue(detail: ActivityDetail, side: 'from' | 'to', { activity, view }: Wording): string {
  const value = detail[side]
  const { locale, names } = view
  if (value === null || value === '') return translate(locale, 'activities:nothing')
  const say = (key: string) => translate(locale, `activities:${key}`)
  const kind = activityAttributes[detail.attribute]
  switch (kind) {
    case 'amount':
      return (activity.event === 'distance_rule_updated' ? wordRate : wordAmount)(value, currencyAt(detail, side, activity), locale)
    case 'flag':
      return say(value === true || value === 1 ? 'yes' : 'no')
    case 'status':
      return activity.subject_type === 'Accountability' ? say(`accountability_status.${value}`) : translate(locale, `status:${value}`)
    case 'role':
      return say(`roles.${value}`)
    case 'kind':
      return say(`kinds.${value}`)
    case 'instant':
      return wordInstant(value, view)
    case 'user':
    case 'users':
      return new Intl.ListFormat(localeOf(locale).tag).format(toIds(value).map((id) => names.users.get(id) ?? String(id)))
    case 'picture':
      return say('picture')
    case 'organization':
      return names.organizations.get(Number(value)) ?? String(value)
    case 'card':
      return names.cards.get(Number(value)) ?? String(value)
    case 'tag':
    case 'tags':
      return new Intl.ListFormat(localeOf(locale).tag).format(toIds(value).map((id) => names.tags.get(id) ?? String(id)))
    case 'expenses':
      return wordExpenses(toIds(value), view)
    case 'policy_weight':
    case 'policy_condition':
    case 'policy_period':
    case 'approval_rule':
      return `“${translate(locale, `${choiceTexts[kind]}.${value}`)}”`
    case 'number':
      return typeof value === 'number'
        ? new Intl.NumberFormat(localeOf(locale).tag, { maximumFractionDigits: 6 }).format(value)
        : String(value)
    case 'text':
      return `“${shorten(view.present(detail.attribute, String(value)))}”`
  }
}

/** Which expenses were added to a report and removed from it, among those that the reader may see. */
function wordMoves({ from, to }: ActivityDetail, view: SentenceView): string[] {
  const seen = (value: Value) => new Set(toIds(value).filter((id) => view.names.expenses.has(id)))
  const [before, after] = [seen(from), seen(to)]
  const moves = { expenses_added: after.difference(before), expenses_removed: before.difference(after) }
  return Object.entries(moves).flatMap(([key, ids]) =>
    ids.size === 0 ? [] : [translate(view.locale, `activities:${key}`, { count: ids.size, list: wordExpenses([...ids], view) })],
  )
}

/** Expenses by number and title: `#7 “Taxi” and #8`. */
function wordExpenses(ids: readonly number[], { locale, names }: SentenceView): string {
  const words = ids.slice(0, mostNamed).map((id) => {
    const name = names.expenses.get(id)
    return name === undefined ? `#${id}` : `#${id} “${shorten(name, longestName)}”`
  })
  const more = ids.length - words.length
  if (more > 0) words.push(translate(locale, 'activities:more', { count: more }))
  return new Intl.ListFormat(localeOf(locale).tag).format(words)
}

/** The ids in a value: one, or several in a text. */
export function toIds(value: Value): number[] {
  return value === null || value === '' ? [] : String(value).split(', ').map(Number)
}

function currencyAt({ attribute, currency }: ActivityDetail, side: 'from' | 'to', { details }: Activity): string | undefined {
  const own = details.find((other) => other.attribute === currencyOf.get(attribute))?.[side]
  return typeof own === 'string' ? own : currency
}

function wordAmount(value: Value, currency: string | undefined, locale: Language): string {
  if (currency === undefined) return new Intl.NumberFormat(localeOf(locale).tag).format(Number(value))
  const parsed = parseAmount(value, currency)
  if (parsed.kind !== 'ok') throw new Error(`The audit trail has an amount that ${currency} cannot have.`)
  return formatAmount({ amount_minor: parsed.amount_minor, currency, locale: localeOf(locale).tag })
}

function wordRate(value: Value, currency: string | undefined, locale: Language): string {
  return currency === undefined ? String(value) : formatRate({ amount: Number(value), currency, locale: localeOf(locale).tag })
}

/** A date if the instant is midnight UTC, which is how dates are stored; otherwise with time, in the view's timezone. */
function wordInstant(value: Value, { locale, timezone }: SentenceView): string {
  const instant = new Date(String(value))
  if (instant.getTime() % 86_400_000 === 0)
    return new Intl.DateTimeFormat(localeOf(locale).tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(instant)
  const time = new Intl.DateTimeFormat(localeOf(locale).tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone })
  return timezone === 'UTC' ? `${time.format(instant)} UTC` : time.format(instant)
}

function shorten(text: string, most = longest): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text
}
