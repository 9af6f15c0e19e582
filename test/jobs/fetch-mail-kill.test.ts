import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Capture } from '#shared/contract/captures'
import { initFolder } from '#test/support/built-program'
import { type BuiltServer, clientOf, isBuilt, startBuilt } from '#test/support/built-server'
import { inForm } from '#test/support/form'
import { randomFrom } from '#test/support/receipts/coded-receipts'
import { startImap } from '#test/support/receipts/dovecot'
import { receiptMail } from '#test/support/receipts/receipt-mail'

// All of it: npm run torture -- mail
const isTorture = process.env.TORTURE === 'mail'
const mails = isTorture ? 500 : inForm(12, 60)
const kills = isTorture ? Number(process.env.TORTURE_COUNT ?? 30) : inForm(2, 3)

async function listAll(server: BuiltServer, token: string): Promise<Capture[]> {
  const all: Capture[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await clientOf(server, token).api.get(`/captures?per_page=100&page=${page}`)
    all.push(...body.captures)
    if (page >= body.total_pages) return all
  }
}

test.runIf(isBuilt)(
  'no mail is lost and none comes twice, whenever the server is killed',
  { timeout: isTorture ? 1_200_000 : 180_000 },
  async () => {
    const imap = await startImap()
    const folder = await mkdtemp(join(tmpdir(), 'outlay-mail-kill-'))
    const data = join(folder, 'data')
    const random = randomFrom(20_261_123)
    const from = 'ada@example.org'
    const headers = ['Authentication-Results: mx.example.org; dmarc=pass header.from=example.org']
    const env = { OUTLAY_IMAP_URL: imap.url, OUTLAY_IMAP_AUTHSERV: 'mx.example.org', OUTLAY_IMAP_MS: '100' }
    let server: BuiltServer | undefined
    try {
      const { token } = await initFolder(data)
      for (let at = 0; at < mails; at += 1)
        await imap.deliver(
          receiptMail({ from, headers, subject: `Mail ${at}`, ...(at % 5 === 0 ? { html: `<p>Receipt ${at}</p>` } : { attached: 1 }) }),
        )
      let interrupted = 0
      let taken = 0
      for (let kill = 0; kill < kills && taken < mails; kill += 1) {
        server = await startBuilt(data, env)
        // As soon as more have come: however fast the machine is, the rest is on its way.
        for (const before = taken; taken <= before && taken < mails;) taken = (await listAll(server, token)).length
        if (taken < mails) interrupted += 1
        await sleep(random() * 20)
        await server.kill()
      }
      // Else the kills came too late to show anything.
      if (isTorture) console.log(`${interrupted} of ${kills} kills before the last mail`)
      expect(interrupted).toBeGreaterThan(0)
      const last = (server = await startBuilt(data, env))
      const ready = async () => (await listAll(last, token)).filter(({ state }) => state === 'ready').map(({ file_name }) => file_name)
      await expect
        .poll(async () => (await ready()).length, { timeout: isTorture ? 600_000 : 90_000, interval: 200 })
        .toBeGreaterThanOrEqual(mails)
      // What would come twice would come now.
      await sleep(500)
      const expected = Array.from({ length: mails }, (_, at) => (at % 5 === 0 ? `Mail ${at}.pdf` : `receipt-Mail ${at}.png`))
      expect((await ready()).toSorted()).toEqual(expected.toSorted())
      expect((await listAll(last, token)).filter(({ state }) => state === 'unusable')).toEqual([])
    } finally {
      await server?.kill().catch(() => undefined)
      await imap.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
