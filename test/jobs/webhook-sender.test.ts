import { afterAll, describe, expect, test } from 'vitest'
import { createSender, sign } from '#main/jobs/webhook-sender'
import { isPrivateAddress, isPrivateLiteral } from '#main/use-cases/webhooks/outgoing-target'
import { type Receiver, startReceiver } from '#test/support/receiver'

const receiver = await startReceiver()
const onSix = await startReceiver(undefined, '::1')
afterAll(() => Promise.all([receiver.close(), onSix.close()]))

const shipment = (url: string) => ({ url, secret: 'secret', request_id: 'r1', delivery_uid: 'd1', body: '{"event":"expense_created"}' })

async function sendTo(url: string, settings: { allowsPrivate?: boolean; timeoutMs?: number } = {}) {
  const sender = createSender({ timeoutMs: 2_000, allowsPrivate: false, ...settings })
  try {
    return await sender.send(shipment(url))
  } finally {
    sender.close()
  }
}

describe('a sender that may not reach into the network it runs in', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
    '１２７.0.0.1',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
    'localhost',
    'LOCALHOST.',
    'hooks.localhost',
  ])('does not connect to this machine by the name of %s', async (host) => {
    const before = receiver.received.length
    const outcome = await sendTo(`http://${host}:${receiver.port}/hook`)
    expect(outcome).toEqual({ kind: 'failed', error: 'private_address', status: null })
    expect(receiver.received).toHaveLength(before)
  })

  test.each(['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[::ffff:7f00:1]'])('nor by %s', async (host) => {
    const before = onSix.received.length
    for (const { port } of [onSix, receiver])
      expect(await sendTo(`http://${host}:${port}/`)).toMatchObject({ kind: 'failed', error: 'private_address' })
    expect(onSix.received).toHaveLength(before)
  })

  test('allowed to, it reaches the same receiver by each of these ways', async () => {
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', 'localhost']) {
      const before = receiver.received.length
      expect(await sendTo(`http://${host}:${receiver.port}/hook`, { allowsPrivate: true })).toEqual({ kind: 'delivered' })
      expect(receiver.received).toHaveLength(before + 1)
    }
  })
})

describe('which addresses are on the internet', () => {
  test.each([
    ...['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254', '0.1.2.3', '224.0.0.1', '255.255.255.255'],
    ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.0.0.8', '192.88.99.1', '240.0.0.1'],
    ...['::', '::1', '::7f00:1', '::a00:1', '::ffff:10.0.0.1', '::ffff:0:10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1'],
    ...['2002:7f00:1::', '2001::1', '2001:db8::1', 'fc00::1', 'fd12::1', 'fe80::1', 'fec0::1', 'ff02::1', '100::1', '4000::1'],
    ...['3fff::1', '5f00::1', 'no address', ''],
  ])('%s is not', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
  })

  test.each(['8.8.8.8', '93.184.215.14', '172.32.0.1', '100.128.0.1', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450:4001::1'])(
    '%s is',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false)
    },
  )

  test('a name says nothing: where it leads is looked up when something is sent', () => {
    expect(isPrivateLiteral('https://hooks.example.org/')).toBe(false)
  })
})

describe('what becomes of a request', () => {
  test('a name that does not exist', async () => {
    expect(await sendTo('http://nowhere.invalid/')).toEqual({ kind: 'failed', error: 'name_not_found', status: null })
  })

  test('an untrusted certificate, or no TLS, counts as no response', async () => {
    const outcome = await sendTo(`https://127.0.0.1:${receiver.port}/`, { allowsPrivate: true })
    expect(outcome).toEqual({ kind: 'failed', error: 'no_answer', status: null })
  })

  test('a response that comes too late', async () => {
    const slow = await startReceiver((response) => void response.flushHeaders())
    const silent = await startReceiver(() => undefined)
    const to = (one: Receiver) => sendTo(one.url, { allowsPrivate: true, timeoutMs: 1_000 })
    expect(await to(silent)).toEqual({ kind: 'failed', error: 'timed_out', status: null })
    // It has answered 200; that it does not end its answer is its own affair.
    expect(await to(slow)).toEqual({ kind: 'delivered' })
    await Promise.all([slow.close(), silent.close()])
  })

  test('a request cut off by a shutdown does not count against the receiver', async () => {
    const silent = await startReceiver(() => undefined)
    const sender = createSender({ timeoutMs: 5_000, allowsPrivate: true })
    const outcome = sender.send(shipment(silent.url))
    await silent.got(1)
    sender.close()
    expect(await outcome).toEqual({ kind: 'interrupted' })
    await silent.close()
  })

  test('a connection is kept for the next request', async () => {
    const ports = new Set<number | undefined>()
    const counting = await startReceiver((response, _count, request) => {
      ports.add(request.socket.remotePort)
      response.end('body that nobody reads')
    })
    const sender = createSender({ timeoutMs: 2_000, allowsPrivate: true })
    for (let count = 0; count < 5; count += 1) expect(await sender.send(shipment(counting.url))).toEqual({ kind: 'delivered' })
    expect(ports.size).toBe(1)
    sender.close()
    await counting.close()
  })

  test('the signature is that of the request id in front of the body', () => {
    // Worked out with OpenSSL: printf 'r1{}' | openssl dgst -sha256 -hmac secret
    expect(sign({ secret: 'secret', request_id: 'r1', body: '{}' })).toBe(
      '5254d5108147559c7ae629a00078b1b2d30cefb88c9dfff50471c6da3f288a6a',
    )
  })
})
