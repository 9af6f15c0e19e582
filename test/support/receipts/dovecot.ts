import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { noteStarted } from '#test/support/processes/started'

const program = '/usr/sbin/dovecot'

/** A real IMAP server on a loopback port, with one mailbox. */
export interface ImapServer {
  /** With user and password. */
  readonly url: string
  /** Puts a message into the mailbox, as a mail server delivers it. */
  deliver(message: string): Promise<void>
  /** Forgets how messages were numbered, as after a repair: the same ones get other numbers. */
  renumber(): Promise<void>
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

/** Starts Dovecot as an ordinary user (Debian: dovecot-imapd). @throws where it is not installed, or does not start */
export async function startImap(): Promise<ImapServer> {
  if (!existsSync(program)) throw new Error('These tests need Dovecot: apt-get install dovecot-imapd')
  const me = userInfo()
  // The folder of a whole run is closed to the ordinary user that root's processes become.
  const folder = await mkdtemp(join(me.uid === 0 ? '/tmp' : tmpdir(), 'outlay-imap-'))
  // As root the processes that have mail run as an ordinary user all the same.
  const user =
    me.uid === 0
      ? { name: 'nobody', group: 'nogroup', uid: 65_534, gid: 65_534 }
      : { name: me.username, group: String(me.gid), uid: me.uid, gid: me.gid }
  const mail = join(folder, 'mail')
  for (const path of ['', 'run', 'state', 'mail', 'mail/cur', 'mail/new', 'mail/tmp'].map((name) => join(folder, name))) {
    await mkdir(path, { recursive: true })
    await chown(path, user.uid, user.gid)
    await chmod(path, 0o755)
  }
  const port = await freePort()
  const group = me.uid === 0 ? `default_internal_group = ${user.group}` : ''
  await writeFile(
    join(folder, 'dovecot.conf'),
    `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = ${user.name}
default_login_user = ${user.name}
${group}
mail_location = maildir:${mail}
first_valid_uid = 1
first_valid_gid = 1
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
passdb {
  driver = static
  args = password=receipts
}
userdb {
  driver = static
  args = uid=${user.uid} gid=${user.gid} home=${folder}
}
`,
  )
  const process = spawn(program, ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  noteStarted(process)
  const ended = once(process, 'exit')
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries > 100 || process.exitCode !== null)
      throw new Error(`Dovecot did not start: ${await readFile(join(folder, 'log'), 'utf8').catch(() => 'no log')}`)
    await sleep(100)
  }
  let count = 0
  return {
    url: `imap://receipts%40example.org:receipts@127.0.0.1:${port}/INBOX`,
    deliver: async (message) => {
      count += 1
      const name = `${1_000_000 + count}.M${count}P1.test`
      const path = join(mail, 'tmp', name)
      await writeFile(path, message.replace(/\r?\n/g, '\r\n'))
      await chown(path, user.uid, user.gid)
      await rename(path, join(mail, 'new', name))
    },
    renumber: async () => {
      for (const name of ['dovecot-uidlist', 'dovecot.index', 'dovecot.index.log', 'dovecot.index.cache', 'dovecot-uidvalidity'])
        await rm(join(mail, name), { force: true })
      // The next number of validity is the time in seconds.
      await sleep(1_100)
    },
    stop: async () => {
      process.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]).catch(() => false)
  socket.destroy()
  return isOpen
}
