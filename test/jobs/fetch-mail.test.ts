import { afterAll, describe, expect, it } from 'vitest'
import { listMails } from '#test/support/receipts/mail-rows'
import { startInstance } from '#test/support/instance'
import { listProcessed } from '#test/support/captures'
import { startImap } from '#test/support/receipts/dovecot'
import { receiptMail } from '#test/support/receipts/receipt-mail'

const imap = await startImap()
const instance = await startInstance({
  settings: {
    OUTLAY_IMAP_URL: imap.url,
    OUTLAY_IMAP_ADDRESS: 'receipts@example.org',
    OUTLAY_IMAP_AUTHSERV: 'mx.example.org',
    OUTLAY_IMAP_MS: 100,
  },
})
afterAll(async () => {
  await instance.remove()
  await imap.stop()
})

const passed = (from: string) => `Authentication-Results: mx.example.org; dmarc=pass header.from=${from.slice(from.indexOf('@') + 1)}`
const noted = () => listMails(instance.app.store)

describe('A mailbox of receipts', () => {
  it('gives each receipt to the member who sent it: attached, or the message itself', async () => {
    const person = await instance.addUser('Mia Mail', 'member')
    const email = 'mia.mail@example.org'
    await imap.deliver(receiptMail({ from: email, headers: [passed(email)], subject: 'Hotel', attached: 1 }))
    await imap.deliver(
      receiptMail({
        from: email,
        headers: [passed(email)],
        subject: 'Your ride',
        html: '<h1>Ride</h1><table><tr><td>Total</td><td>EUR 12.30</td></tr></table><img src="http://127.0.0.1:9/pixel.gif">',
      }),
    )
    await expect.poll(async () => (await noted()).length, { timeout: 60_000 }).toBe(2)
    const captures = await listProcessed(person)
    expect(captures.map(({ file_name, content_type, source, state }) => [file_name, content_type, source, state]).toSorted()).toEqual([
      ['Your ride.pdf', 'application/pdf', 'mail', 'ready'],
      ['receipt-Hotel.png', 'image/png', 'mail', 'ready'],
    ])
  })

  it('gives what nobody can be proven to have sent to nobody, and lists it', async () => {
    const before = (await noted()).length
    await instance.addUser('Vic Victim', 'member')
    const victim = 'vic.victim@example.org'
    const deliver = (subject: string, headers: string[], from = victim) =>
      imap.deliver(receiptMail({ from, headers, subject, attached: 1 }))
    await deliver('bare', [])
    await deliver('other server', ['Authentication-Results: evil.example.com; dmarc=pass header.from=example.org'])
    await deliver('failed', ['Authentication-Results: mx.example.org; dmarc=fail header.from=example.org', passed(victim)])
    await deliver('other domain', ['Authentication-Results: mx.example.org; dmarc=pass header.from=evil.example.com'])
    await deliver('in a comment', ['Authentication-Results: mx.example.org; none (; dmarc=pass header.from=example.org)'])
    await deliver('spf alone', ['Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=example.org'])
    await deliver('parent domain', ['Authentication-Results: mx.example.org; dkim=pass header.d=org'])
    await deliver('two senders', [passed(victim)], `evil@example.org, ${victim}`)
    await deliver('two heads', [passed(victim), 'From: evil@example.org'])
    await deliver('stranger', [passed('who@example.org')], 'who@example.org')
    await expect.poll(async () => (await noted()).length, { timeout: 60_000 }).toBe(before + 10)
    const mails = (await noted()).slice(before)
    expect(mails.map(({ subject, reason, user_id }) => [subject, reason, user_id])).toEqual([
      ...['bare', 'other server', 'failed', 'other domain', 'in a comment', 'spf alone', 'parent domain'].map((subject) => [
        subject,
        'unproven',
        null,
      ]),
      ...['two senders', 'two heads', 'stranger'].map((subject) => [subject, 'unknown_sender', null]),
    ])
  })

  it('gives what comes to a personal address to that person, no matter who sent it; a wrong one counts for nothing', async () => {
    const before = (await noted()).length
    const person = await instance.addUser('Pia Plus', 'member')
    const own: string = (await person.api.get('/mail_address')).body.address
    expect(own).toMatch(/^receipts\+\d+-[a-z2-7]{16}@example\.org$/)
    await imap.deliver(receiptMail({ from: 'shop@shop.example', to: own.toUpperCase(), subject: 'Shop', attached: 2 }))
    await imap.deliver(receiptMail({ from: 'shop@shop.example', to: own.replace(/-\w{4}/, '-aaaa'), subject: 'Guess', attached: 1 }))
    await expect.poll(async () => (await noted()).length, { timeout: 60_000 }).toBe(before + 2)
    expect((await listProcessed(person)).map(({ note }) => note)).toEqual(['Shop', 'Shop'])
    expect((await noted()).at(-1)).toMatchObject({ reason: 'unknown_sender', subject: 'Guess' })
  })

  it('takes no message twice, also where the mailbox numbers them again', async () => {
    const before = await noted()
    await imap.renumber()
    await imap.deliver(
      receiptMail({ from: 'mia.mail@example.org', headers: [passed('mia.mail@example.org')], subject: 'After', attached: 1 }),
    )
    await expect
      .poll(async () => (await noted()).filter(({ subject, capture_id }) => capture_id !== null && subject === null).length, {
        timeout: 60_000,
      })
      .toBe(before.filter(({ capture_id }) => capture_id !== null).length + 1)
    const taken = (await noted()).flatMap(({ sha256 }) => sha256 ?? [])
    expect(new Set(taken).size).toBe(taken.length)
  })
})
