import type { Readable } from 'node:stream'
import { isLoopback } from '#shared/domain/doors/loopback'

/** A message's number in the mailbox, and its size in bytes. */
export interface MailboxMessage {
  readonly uid: number
  readonly bytes: number
}

/** An open, read-only mailbox. */
export interface Mailbox {
  /** When this changes, the same messages have other numbers. */
  readonly uid_validity: string
  /** The messages after a number, oldest first. */
  list(after: number): Promise<MailboxMessage[]>
  /** The raw message; undefined if it was deleted meanwhile. */
  download(uid: number): Promise<Readable | undefined>
  close(): Promise<void>
}

const timeoutMs = 30_000

/** A mailbox's identity: its address without the password. */
export function mailboxName(url: string): string {
  const { username, host, pathname } = new URL(url)
  return `${decodeURIComponent(username)}@${host}${pathname === '' ? '/' : pathname}`
}

/** Opens a mailbox by its address. Verifies certificates, and sends nothing without TLS, except to this computer. @throws if it cannot be reached */
export async function openMailbox(url: string): Promise<Mailbox> {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const isSecure = protocol === 'imaps:'
  const isHere = isLoopback(hostname)
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 993 : 143) : Number(port),
    secure: isSecure,
    ...(isSecure ? {} : { doSTARTTLS: !isHere }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  // Without a listener, a broken connection would end the process; the running call throws the error, too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { uidValidity } = await client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || 'INBOX', { readOnly: true })
    return {
      uid_validity: String(uidValidity),
      list: async (after) => {
        const found: MailboxMessage[] = []
        for await (const { uid, size = 0 } of client.fetch(`${after + 1}:*`, { uid: true, size: true }, { uid: true }))
          if (uid > after) found.push({ uid, bytes: size })
        return found.toSorted((one, other) => one.uid - other.uid)
      },
      download: async (uid) => (await client.download(String(uid), undefined, { uid: true })).content,
      close: () => client.logout().catch(() => client.close()),
    }
  } catch (error) {
    client.close()
    throw error
  }
}
