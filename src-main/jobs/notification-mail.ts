import { localeOf, pageLanguageOf } from '#shared/domain/locales'
import { languageOf } from '#main/store/records/users/user-language'
import type { Mail } from './mailer'
import type { Told } from '#main/use-cases/notifications/deliveries'
import { type DigestView, toHtml, toText } from './notification-page'
import {
  type Words,
  amountOf,
  cut,
  groupOf,
  oneLine,
  pathOf,
  say,
  wordSentence,
  summarize,
  titleOf,
} from '#main/use-cases/notifications/words'

/** The most sentences in a message; the rest is counted. */
const mostSentences = 50
/** From this many sentences on, a message begins with a summary. */
const summaryFrom = 4
const longestSubject = 160

/** Writes one message for all waiting notifications of a person (supplement 2, "Notifications"). `base`: {scheme}://{host} of links. */
export function toDigest(words: Words, told: readonly Told[], { to, base }: { to: string; base: string }): Mail {
  const address = base.replace(/\/+$/, '')
  const subject = subjectOf(words, told)
  const shown = told.slice(0, mostSentences)
  const rest = told.length - shown.length
  const view: DigestView = {
    lang: pageLanguageOf(languageOf(words.user)),
    subject,
    hello: say(words, 'hello', { name: oneLine(words.user.first_name) }),
    summary: told.length < summaryFrom ? undefined : { title: say(words, 'summary'), lines: summarize(words, told) },
    groups: [...Map.groupBy(shown, groupOf).values()].map((group) => toGroup(words, group, address)),
    more:
      rest === 0 ? undefined : { text: say(words, 'more', { count: rest }), link: { text: say(words, 'moreLink'), href: `${address}/` } },
    why: say(words, 'why'),
    settings: { text: say(words, 'settings'), href: `${address}/settings/notifications` },
  }
  return { to, subject, text: toText(view), html: toHtml(view) }
}

function subjectOf(words: Words, told: readonly Told[]): string {
  const [first] = told
  if (!first) throw new Error('There is nothing to tell.')
  const title = titleOf(words, first)
  const sentence = wordSentence(words, first)
  if (told.length === 1) return cut(first.item ? `${title}: ${sentence}` : sentence, longestSubject)
  const count = told.length
  const isAsking = told.every(({ activity: { subject_type } }) => subject_type === 'StatementLine')
  if (isAsking) return cut(say(words, 'asked', { count }), longestSubject)
  if (new Set(told.map(groupOf)).size === 1) return cut(say(words, 'changesTo', { item: title, count }), longestSubject)
  const summary = summarize(words, told)
  if (summary.length === 1) return cut(summary.join(), longestSubject)
  const organizations = [...new Set(told.map(({ activity }) => words.organizations.get(activity.organization_id ?? 0)))]
  const [organization] = organizations
  const changes = organizations.length === 1 && organization !== undefined ? 'changesIn' : 'changes'
  return cut(say(words, changes, { count, organization: organization ?? '' }), longestSubject)
}

function toGroup(words: Words, group: readonly Told[], address: string): DigestView['groups'][number] {
  const { tag } = localeOf(languageOf(words.user))
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: words.user.timezone })
  const last = group.at(-1)
  if (!last) throw new Error('A group has nothing in it.')
  const path = pathOf(words, last)
  const amount = amountOf(words, last)
  return {
    title: titleOf(words, last),
    amount,
    href: path === undefined ? undefined : `${address}${path}`,
    lines: group.map((one) => ({ time: time.format(new Date(one.activity.occurred_at)), text: wordSentence(words, one) })),
  }
}
