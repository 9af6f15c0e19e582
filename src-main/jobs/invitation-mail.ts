import type { Role } from '#shared/domain/roles'
import { type Language, localeOf, pageLanguageOf } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { escape, toLink, toSheet } from './mail-sheet'
import type { Mail } from './mailer'

/** The content of an invitation's e-mail. `link` accepts it; `expires_at`: an ISO instant, shown in `timezone`. */
export interface InvitationMail {
  readonly to: string
  readonly organization: string
  readonly inviter: string
  readonly role: Role
  readonly link: string
  readonly expires_at: string | null
  readonly locale: Language
  readonly timezone: string
}

const button = 'display:inline-block;padding:8px 16px;background:#2f5d50;color:#ffffff;border-radius:4px;text-decoration:none'

/** Puts a text on one line, so that it can neither end a header nor look like our own paragraph. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Writes an invitation in the inviter's language, as text and HTML. */
export function toInvitationMail({ to, role, link, expires_at, locale, timezone, ...names }: InvitationMail): Mail {
  const say = (key: string, params: Readonly<Record<string, string>> = {}) => translate(locale, `invitation:${key}`, params)
  const inviter = oneLine(names.inviter)
  const organization = oneLine(names.organization)
  const offer = say('offer', { inviter, organization, role: say(`role.${role}`) })
  const date =
    expires_at === null
      ? undefined
      : new Intl.DateTimeFormat(localeOf(locale).tag, { dateStyle: 'long', timeZone: timezone }).format(new Date(expires_at))
  const terms = [...(date === undefined ? [] : [say('until', { date })]), say('ignore')].join(' ')
  const subject = say('subject', { inviter, organization })
  const open = { text: link, href: link }
  return {
    to,
    subject,
    text: [offer, `${say('accept')}:\n${link}`, terms].join('\n\n'),
    html: toSheet({
      lang: pageLanguageOf(locale),
      subject,
      body: [
        `<p style="margin:0 0 16px">${escape(offer)}</p>`,
        `<p style="margin:0 0 16px"><a class="button" href="${escape(link)}" style="${button}">${escape(say('accept'))}</a></p>`,
        `<p style="margin:0;overflow-wrap:anywhere">${escape(say('address'))}<br>${toLink(open)}</p>`,
      ],
      foot: escape(terms),
    }),
  }
}
