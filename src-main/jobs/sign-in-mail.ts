import type { Row } from '#db/schema'
import { type Language, defaultLanguage, languages, pageLanguageOf } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { findWaitingSignIn } from '#main/store/records/users/sign-in-codes'
import { makeCode } from '#main/use-cases/sessions/email-sign-in'
import type { JobDeps } from './job-deps'
import { type Job, type Round, createLoop } from './loop'
import { escape, toLink, toSheet } from './mail-sheet'
import type { Mail } from './mailer'

const nobody = { user_id: 0, origin: 'mail', request_id: null, if_match: null }

/**
 * Sends sign-in codes. Their hashes are stored before a message is sent. A failed message is not repeated: a code is valid for minutes, and the
 * person requests another.
 */
export function sendSignInCodes(deps: JobDeps): Job {
  return createLoop(
    { ...deps, name: 'sign-in codes' },
    () => sendNext(deps),
    (error) => deps.log.error({ err: error }, 'sending codes to sign in with failed'),
  )
}

async function sendNext({ store, mailer, public_url, log }: JobDeps): Promise<Round> {
  const waiting = await findWaitingSignIn(store.reader)
  if (!waiting) return { kind: 'later', afterMs: Infinity }
  const made = await store.transact(nobody, (tx) => makeCode(tx, waiting))
  if (!made) return { kind: 'again' }
  // The fragment is sent to no server, so it is in no log.
  const link = `${public_url().replace(/\/+$/, '')}/sign-in#${made.secret}`
  const outcome = await mailer.send(toSignInMail({ ...made, link, locale: languageOf(waiting) }))
  if (outcome.kind === 'bounced' || outcome.kind === 'failed') log.warn({ outcome: outcome.kind }, 'a code to sign in with was not sent')
  return { kind: 'again' }
}

function languageOf({ locale }: Row<'sign_in_codes'>): Language {
  return languages.find((known) => known === locale) ?? defaultLanguage
}

function toSignInMail({ to, code, link, locale }: { to: string; code: string; link: string; locale: Language }): Mail {
  const spaced = `${code.slice(0, 4)} ${code.slice(4)}`
  const say = (key: string) => translate(locale, `mail:signIn.${key}`)
  const subject = say('subject')
  return {
    to,
    subject,
    text: [`${say('code')}\n${spaced}`, `${say('link')}\n${link}`, say('ignore')].join('\n\n'),
    html: toSheet({
      lang: pageLanguageOf(locale),
      subject,
      body: [
        `<p style="margin:0 0 4px">${escape(say('code'))}</p>`,
        `<p style="margin:0 0 16px;font-size:24px;letter-spacing:2px"><strong>${spaced}</strong></p>`,
        `<p style="margin:0;overflow-wrap:anywhere">${escape(say('link'))}<br>${toLink({ text: link, href: link })}</p>`,
      ],
      foot: escape(say('ignore')),
    }),
  }
}
