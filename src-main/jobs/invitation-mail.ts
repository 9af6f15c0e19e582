import type { Role } from '#shared/domain/roles'
import { type Locale, translate } from '#shared/i18n/translations'
import type { Mail } from './mailer'

/** What the e-mail of an invitation says. `link` is where it is accepted; `expires_at` an ISO instant, shown in `timezone`. */
export interface InvitationMail {
  readonly to: string
  readonly organization: string
  readonly inviter: string
  readonly role: Role
  readonly link: string
  readonly expires_at: string | null
  readonly locale: Locale
  readonly timezone: string
}

const intlLocales = { en: 'en-GB', pt: 'pt-BR' } as const satisfies Record<Locale, string>

/** Names are people's own text: in HTML they must not be markup. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A line of its own can neither end a header nor look like a paragraph of ours. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Words an invitation in the inviter's language, as text and as HTML. */
export function toInvitationMail({ to, role, link, expires_at, locale, timezone, ...names }: InvitationMail): Mail {
  const say = (key: string, params: Readonly<Record<string, string>> = {}) => translate(locale, `invitation:${key}`, params)
  const inviter = oneLine(names.inviter)
  const organization = oneLine(names.organization)
  const offer = say('offer', { inviter, organization, role: say(`role.${role}`) })
  const date =
    expires_at === null
      ? undefined
      : new Intl.DateTimeFormat(intlLocales[locale], { dateStyle: 'long', timeZone: timezone }).format(new Date(expires_at))
  const terms = [...(date === undefined ? [] : [say('until', { date })]), say('ignore')].join(' ')
  return {
    to,
    subject: say('subject', { inviter, organization }),
    text: [offer, `${say('accept')}:\n${link}`, terms].join('\n\n'),
    html: toHtml({ locale, offer, link, terms, accept: say('accept'), address: say('address') }),
  }
}

interface HtmlTexts {
  readonly locale: Locale
  readonly offer: string
  readonly link: string
  readonly terms: string
  readonly accept: string
  readonly address: string
}

function toHtml({ locale, offer, link, terms, accept, address }: HtmlTexts): string {
  const href = escape(link)
  return `<!doctype html>
<html lang="${intlLocales[locale]}">
<body style="margin:0;padding:24px;background:#f7f8f9;color:#1d242b;font:15px/22px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e3e6ea;border-radius:4px">
<p style="margin:0 0 16px">${escape(offer)}</p>
<p style="margin:0 0 16px"><a href="${href}" style="display:inline-block;padding:8px 16px;background:#4554b3;color:#ffffff;border-radius:4px;text-decoration:none">${escape(accept)}</a></p>
<p style="margin:0 0 16px;color:#59636d">${escape(address)}<br><a href="${href}" style="color:#4554b3;word-break:break-all">${href}</a></p>
<p style="margin:0;color:#59636d">${escape(terms)}</p>
</div>
</body>
</html>
`
}
