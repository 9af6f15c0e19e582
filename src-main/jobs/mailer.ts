import { join } from 'node:path'
import type * as nodemailer from 'nodemailer'
import type { Clock } from '#main/clock'
import { makeFolder, writeDurably } from '#main/files/durable'

/** A message to one person, in HTML and in plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The outcome for a message: a `kept` one is in the outbox folder, a `bounced` one must not be retried, a `failed` one may. */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'kept' }
  | { readonly kind: 'bounced'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** Sends messages. A server that does not answer is an outcome; a folder that cannot be written to throws. */
export interface Mailer {
  send(mail: Mail): Promise<MailOutcome>
  close(): void
}

/** How to send: by an SMTP server, or, where none is set, into `<data_folder>/outbox`, a file for each message. */
export interface MailerSettings {
  readonly smtp_url: string | undefined
  readonly from: string
  readonly data_folder: string
}

const timeoutMs = 20_000

/** Makes the mailer of an instance (supplement 2, "Notifications"). */
export function createMailer(settings: MailerSettings, clock: Clock): Mailer {
  return settings.smtp_url === undefined ? createOutbox(settings, clock) : createSmtp(settings.smtp_url, settings.from)
}

/** Many instances never send a message: the library is loaded, and the transport made, with the first. */
function openLater<Transport extends nodemailer.Transporter>(open: (library: typeof nodemailer) => Transport) {
  let opening: Promise<Transport> | undefined
  return { opened: () => (opening ??= import('nodemailer').then(open)), close: () => void opening?.then((transport) => transport.close()) }
}

function createSmtp(url: string, from: string): Mailer {
  const { opened, close } = openLater(({ createTransport }) =>
    createTransport(
      { url, pool: true, maxConnections: 1, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
      { from },
    ),
  )
  return {
    send: async (mail) => {
      const transport = await opened()
      try {
        await transport.sendMail(toMessage(mail))
        return { kind: 'sent' }
      } catch (error) {
        return toOutcome(error)
      }
    },
    close,
  }
}

/** Keeps every message in the data folder as an `.eml` file that any mail program opens. */
function createOutbox({ from, data_folder }: MailerSettings, clock: Clock): Mailer {
  const { opened, close } = openLater(({ createTransport }) => createTransport({ streamTransport: true, buffer: true }, { from }))
  const folder = join(data_folder, 'outbox')
  return {
    send: async (mail) => {
      const { message } = await (await opened()).sendMail(toMessage(mail))
      if (!Buffer.isBuffer(message)) throw new Error('A message was not put together in memory.')
      await makeFolder(folder)
      await writeDurably(join(folder, `${clock.uid()}.eml`), message)
      return { kind: 'kept' }
    },
    close,
  }
}

function toMessage({ to, subject, text, html, headers }: Mail): nodemailer.SendMailOptions {
  // An address is data: a list or a group in it would send to people who were not meant.
  return { to: { name: '', address: to }, subject, text, html, headers: { ...headers, 'Auto-Submitted': 'auto-generated' } }
}

/** A server's permanent "no" (5xx) to the recipient is a bounce; all else may pass. */
function toOutcome(error: unknown): MailOutcome {
  const reason = reasonOf(error)
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  const isRecipient = error instanceof Error && 'code' in error && error.code === 'EENVELOPE'
  return isRecipient && typeof code === 'number' && code >= 500 ? { kind: 'bounced', reason } : { kind: 'failed', reason }
}

/** What the server answered, where it did; else what went wrong on the way to it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'response' in error && typeof error.response === 'string' ? error.response : error.message
}
