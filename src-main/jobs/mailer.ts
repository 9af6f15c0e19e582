import { join } from 'node:path'
import type * as nodemailer from 'nodemailer'
import type { Clock } from '#main/clock'
import { makeFolder, writeDurably } from '#main/files/durable'

/** A message to one person, in HTML and plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The outcome of a message: `kept` is in the outbox folder, `bounced` must not be retried, `failed` may be. */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'kept' }
  | { readonly kind: 'bounced'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** Sends messages. A server that does not respond is an outcome; an unwritable folder throws. */
export interface Mailer {
  send(mail: Mail): Promise<MailOutcome>
  close(): void
}

/** How to send: by an SMTP server, or, without one, into `<data_folder>/outbox`, one file per message. */
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

/** Loads the library and makes the transport with the first message: many instances never send one. */
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

/** Stores every message in the data folder as an `.eml` file that any mail program opens. */
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
  // As an object, so that a list or group in the address cannot add recipients.
  return { to: { name: '', address: to }, subject, text, html, headers: { ...headers, 'Auto-Submitted': 'auto-generated' } }
}

/** A server's permanent error (5xx) for the recipient is a bounce; others may be temporary. */
function toOutcome(error: unknown): MailOutcome {
  const reason = reasonOf(error)
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  const isRecipient = error instanceof Error && 'code' in error && error.code === 'EENVELOPE'
  return isRecipient && typeof code === 'number' && code >= 500 ? { kind: 'bounced', reason } : { kind: 'failed', reason }
}

/** The server's response, or the error on the way to it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'response' in error && typeof error.response === 'string' ? error.response : error.message
}
