import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

const patienceMs = 60_000

/** A real SMTP server that keeps what it is sent. */
export interface Mailbox {
  /** For `OUTLAY_SMTP_URL`. */
  readonly url: string
  readonly port: number
  /** Everything that has arrived, oldest first. */
  readonly mails: readonly Email[]
  /** Addresses that it says do not exist. */
  readonly unknown: Set<string>
  /** The `count`th message to an address, waited for. */
  waitFor(address: string, count?: number): Promise<Email>
  close(): Promise<void>
}

async function read(stream: AsyncIterable<Buffer>): Promise<Email> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return PostalMime.parse(Buffer.concat(chunks))
}

function listen(server: SMTPServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    const listening = server.listen(port, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** Starts a mailbox on a free port, or on that of one that was closed. */
export async function startMailbox(wanted = 0): Promise<Mailbox> {
  const mails: Email[] = []
  const unknown = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    // A client that keeps its connection for a next message must not keep us.
    closeTimeout: 50,
    onRcptTo: ({ address }, _session, done) =>
      done(unknown.has(address) ? Object.assign(new Error('No such user here'), { responseCode: 550 }) : null),
    onData: (stream, _session, done) => {
      read(stream).then(
        (mail) => {
          mails.push(mail)
          done()
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
  const port = await listen(server, wanted)
  const to = (address: string) => mails.filter((mail) => mail.to?.some((one) => one.address === address))
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    unknown,
    waitFor: async (address, count = 1) => {
      for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 20) {
        const mail = to(address)[count - 1]
        if (mail) return mail
        await sleep(20)
      }
      throw new Error(`No message ${count} to ${address} arrived.`)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The secret in the link of an invitation. */
export function secretIn({ text = '' }: Email): string {
  return /\/join#(\w+)/.exec(text)?.[1] ?? ''
}
