import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { createApp } from '#main/app'
import { systemClock } from '#main/clock'
import { readSettings } from '#main/config/settings'
import { Store } from '#main/store/core/store'
import { findApiToken } from '#main/store/records/users/api-token-reader'
import { revokeApiToken } from '#main/store/records/users/user-writer'
import { noteOnInvitation, storeInvitation } from '#main/store/records/organizations/invitations'
import { startSession } from '#main/use-cases/sessions/sessions'
import { termsOf } from '#main/use-cases/invitations/invitations'
import { createToken } from '#main/use-cases/users/tokens'
import { hashSecret } from '#main/http/server/authentication'
import { createRandom, seed } from './seed'
import { startRole } from './servers'

/** What someone who guesses would like to find. */
interface Secrets {
  readonly token: string
  readonly revoked: string
  readonly session: string
  readonly invitation: string
  readonly used_invitation: string
  /** Of a member who sees only their own expenses. */
  readonly member_token: string
  /** Of an expense that the member does not see. */
  readonly hidden_id: number
}

interface Served extends Secrets {
  readonly code: string
  readonly local_secret: string
}

interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, string>>
}

/** Two kinds of request that must not be told apart by their time; `isControl`: they differ, which the comparison must notice. */
interface Question {
  readonly name: string
  readonly plain: () => Asked
  readonly other: () => Asked
  readonly isControl?: true
}

/** How much longer the second kind takes, in microseconds, with its 95 % interval, and Student's t over the blocks. */
export interface TimingFigure {
  readonly name: string
  readonly requests: number
  readonly median_us: number
  readonly difference_us: number
  readonly plus_minus_us: number
  readonly t: number
}

const nobody = { user_id: 0, origin: 'bench', request_id: null, if_match: null }

async function prepareSecrets(folder: string): Promise<Secrets> {
  const { token, admin_id, organization_id, receiver_ids } = await seed(folder, 1000)
  const store = await Store.open(folder, { clock: systemClock, isOwner: false })
  const [member_id = 0, other_id = 0] = receiver_ids
  const found = await store.transact({ ...nobody, user_id: admin_id }, async (tx) => {
    const { token: member_token } = await createToken(tx, { user_id: member_id, description: 'timing' })
    const { token: revoked } = await createToken(tx, { user_id: member_id, description: 'timing' })
    const row = await findApiToken(tx, hashSecret(revoked))
    if (row) await revokeApiToken(tx, row)
    const session = await startSession(tx, { user_id: member_id, api_token_id: null, door: 'token', user_agent: null, days: 30 })
    const [invitation, used_invitation] = [tx.clock.secret(32), tx.clock.secret(32)]
    const invite = (email: string, secret: string) =>
      storeInvitation(tx, { organization_id, email, role: 'member', ...termsOf(tx, secret) })
    await invite('open@example.org', invitation)
    await noteOnInvitation(tx, await invite('used@example.org', used_invitation), { accepted_at: tx.now })
    return { member_token, revoked, session, invitation, used_invitation }
  })
  const hidden = await store.reader.db.selectFrom('expenses').select('id').where('receiver_id', '=', other_id).executeTakeFirstOrThrow()
  await store.close()
  return { ...found, token, hidden_id: hidden.id }
}

const secretsIn = (folder: string) => join(folder, 'timing.json')

/** Serves the prepared folder in a separate process, and notes the secrets that only the server knows. */
export async function serveTiming(folder: string): Promise<void> {
  const secrets: Secrets = JSON.parse(readFileSync(secretsIn(folder), 'utf8'))
  const settings = {
    ...readSettings(folder, {}),
    OUTLAY_LOG: 'silent' as const,
    OUTLAY_LOGIN_THROTTLE: 1_000_000,
    OUTLAY_SNAPSHOT_MINUTES: 0,
  }
  // A minute of failed log-ins is over after a few milliseconds, so that few are kept and none is throttled.
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() * 10_000 }
  const app = await createApp({ data_folder: folder, settings, web_folder: null, clock })
  const served: Served = { ...secrets, code: await app.entry_codes.issue(), local_secret: app.local_secret }
  writeFileSync(secretsIn(folder), JSON.stringify(served))
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  process.stdout.write(`${JSON.stringify({ url })}\n`)
  await once(process, 'SIGTERM')
  await app.close()
}

function listQuestions(secrets: Served): Question[] {
  const random = createRandom(5)
  const unlike = (secret: string) => Array.from(secret, () => '0123456789abcdef'[random(16)]).join('')
  /** All of a secret but its last characters: so many that hardly any comes twice, since the server may remember what it has found. */
  const near = (secret: string) => `${secret.slice(0, -8)}${unlike(secret.slice(-8))}`
  const basic = (token: string) => ({ authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` })
  const byToken = (token: string): Asked => ({ path: '/session', headers: basic(token) })
  const signIn = (body: Readonly<Record<string, string>>): Asked => ({ method: 'POST', path: '/session', body })
  const byCookie = (secret: string): Asked => ({ path: '/session', headers: { cookie: `outlay_session=${secret}` } })
  const byWindow = (secret: string): Asked => ({ path: '/session', headers: { 'x-outlay-local': secret } })
  const join = (secret: string): Asked => ({ method: 'POST', path: '/invitation', body: { secret } })
  const { token, revoked, session, invitation, used_invitation, code, local_secret, member_token, hidden_id } = secrets
  const show = (id: number): Asked => ({ path: `/expenses/${id}`, headers: basic(member_token) })
  /** Compared with one that comes again and again, and therefore always the same. */
  const unknown = { token: unlike(token), invitation: unlike(invitation), id: 9_000_000 }
  return [
    {
      name: 'control: an unknown token of 48 or of 6,000 characters',
      plain: () => byToken(unlike(token)),
      other: () => byToken(unlike(token).repeat(125)),
      isControl: true,
    },
    {
      name: 'an API token: unknown, or all but its last eight characters right',
      plain: () => byToken(unlike(token)),
      other: () => byToken(near(token)),
    },
    { name: 'an API token: unknown, or revoked', plain: () => byToken(unknown.token), other: () => byToken(revoked) },
    {
      name: 'sign in by a token: unknown, or all but its last eight characters right',
      plain: () => signIn({ token: unlike(token) }),
      other: () => signIn({ token: near(token) }),
    },
    {
      name: 'sign in by a token: unknown, or revoked',
      plain: () => signIn({ token: unknown.token }),
      other: () => signIn({ token: revoked }),
    },
    {
      name: 'sign in by a one-time code: unknown, or all but its last eight characters right',
      plain: () => signIn({ code: unlike(code) }),
      other: () => signIn({ code: near(code) }),
    },
    {
      name: 'a session: unknown, or all but its last eight characters right',
      plain: () => byCookie(unlike(session)),
      other: () => byCookie(near(session)),
    },
    {
      name: 'the secret of the desktop window: wrong, or all but its last eight characters right',
      plain: () => byWindow(unlike(local_secret)),
      other: () => byWindow(near(local_secret)),
    },
    {
      name: 'an invitation: unknown, or all but its last eight characters right',
      plain: () => join(unlike(invitation)),
      other: () => join(near(invitation)),
    },
    { name: 'an invitation: unknown, or used', plain: () => join(unknown.invitation), other: () => join(used_invitation) },
    { name: 'an expense of another member: not there, or hidden', plain: () => show(unknown.id), other: () => show(hidden_id) },
  ]
}

/** Sends a request and waits for the first bytes of its response; microseconds, and the status. */
async function time(url: string, agent: Agent, { method = 'GET', path, headers = {}, body }: Asked) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const own = { 'user-agent': 'bench', 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)), ...headers }
  const outgoing = request(`${url}/api/v1${path}`, { agent, method, headers: text === '' ? { 'user-agent': 'bench', ...headers } : own })
  const start = process.hrtime.bigint()
  outgoing.end(text)
  const [response]: IncomingMessage[] = await once(outgoing, 'response')
  const us = Number(process.hrtime.bigint() - start) / 1000
  if (!response) throw new Error('There is no response.')
  const ended = once(response, 'end')
  response.resume()
  await ended
  return { us, status: response.statusCode ?? 0 }
}

const blockSize = 100

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Compares the medians of short blocks: a machine that is busy for a while is busy for both kinds. */
function compare(name: string, plain: readonly number[], other: readonly number[]): TimingFigure {
  const differences: number[] = []
  for (let at = 0; at + blockSize <= plain.length; at += blockSize)
    differences.push(medianOf(other.slice(at, at + blockSize)) - medianOf(plain.slice(at, at + blockSize)))
  const count = differences.length
  const mean = differences.reduce((sum, one) => sum + one, 0) / count
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1)
  const error = Math.sqrt(variance / count)
  return { name, requests: plain.length, median_us: medianOf(plain), difference_us: mean, plus_minus_us: 1.96 * error, t: mean / error }
}

/**
 * Sends both kinds of each question, in random order, over one connection, and compares how long their responses took. Yields each
 * figure when it is measured. Throws if a pair differs in its status, or if the control was not noticed.
 */
export async function* measureTiming(folder: string, count: number): AsyncGenerator<TimingFigure> {
  writeFileSync(secretsIn(folder), JSON.stringify(await prepareSecrets(folder)))
  const server = await startRole('timing-server', folder)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const random = createRandom(7)
    for (const { name, plain, other, isControl } of listQuestions(JSON.parse(readFileSync(secretsIn(folder), 'utf8')))) {
      const times = { plain: new Array<number>(), other: new Array<number>() }
      const statuses = { plain: 0, other: 0 }
      for (let sent = -blockSize; sent < count; sent += 1) {
        // Both are made before either is sent: making them takes the sender different times.
        const asked = { plain: plain(), other: other() }
        for (const side of random(2) === 0 ? (['plain', 'other'] as const) : (['other', 'plain'] as const)) {
          const { us, status } = await time(server.url, agent, asked[side])
          statuses[side] = status
          // The first block warms both up.
          if (sent >= 0) times[side].push(us)
        }
      }
      if (statuses.plain !== statuses.other || statuses.plain < 400)
        throw new Error(`${name}: answered ${statuses.plain} and ${statuses.other}.`)
      const figure = compare(name, times.plain, times.other)
      if (isControl && Math.abs(figure.t) < 4.5)
        throw new Error('The control was not noticed: the machine is too busy, or too few are sent.')
      yield figure
    }
  } finally {
    agent.destroy()
    await server.stop()
  }
}
