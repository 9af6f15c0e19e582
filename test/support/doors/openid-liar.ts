import { type KeyObject, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { apiOf } from '../instance'
import type { TestProvider } from './openid-provider'

const base64url = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** What a raw provider does in place of what is right. */
export interface Lies {
  /** Claims in place of the right ones of the ID token; undefined takes one out. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** The header of the ID token. */
  readonly header?: Readonly<Record<string, unknown>>
  /** A key that the provider has not published. */
  readonly isForeignKey?: boolean
  readonly isUnsigned?: boolean
  /** The description that it gives of itself. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The body and the status of what it responds at the token endpoint. */
  readonly token?: { readonly status: number; readonly body: string }
  /** What it says at the address of the user info. */
  readonly userinfo?: Readonly<Record<string, unknown>>
  /** It never responds at these paths. */
  readonly silentAt?: readonly string[]
  /** It answers each path with these bytes, again and again, without an end. */
  readonly isEndless?: boolean
  /** It sends whoever asks for a token elsewhere. */
  readonly redirectTo?: string
}

/** A provider that says what a test tells it to, with its own keys and without a page. */
export async function startLiar() {
  const [{ privateKey, publicKey }, foreign] = [makeKeys(), makeKeys()]
  let lies: Lies = {}
  /** The claims that each code stands for. */
  const codes = new Map<string, Readonly<Record<string, unknown>>>()
  const server = createServer((request, response) => void respond(request, response))
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://liar').pathname
    if (lies.silentAt?.includes(path)) return
    const send = (status: number, body: unknown, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (lies.isEndless) {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
        if (!response.destroyed) response.once('drain', more)
      }
      return more()
    }
    if (path === '/.well-known/openid-configuration') return send(200, { ...describe(issuer), ...lies.metadata })
    if (path === '/jwks') return send(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] })
    if (path === '/userinfo') return send(200, lies.userinfo ?? {})
    if (path !== '/token') return send(404, {})
    if (lies.redirectTo !== undefined) return send(307, '', { location: lies.redirectTo })
    if (lies.token) return send(lies.token.status, lies.token.body)
    const claims = codes.get(new URLSearchParams(await text(request)).get('code') ?? '')
    const id_token = makeToken({ issuer, lies, claims, key: lies.isForeignKey ? foreign.privateKey : privateKey })
    send(200, { access_token: 'access', token_type: 'bearer', id_token })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const settings: TestProvider['settings'] = {
    OUTLAY_OPENID_ISSUER: issuer,
    OUTLAY_OPENID_CLIENT_ID: 'outlay',
    OUTLAY_OPENID_CLIENT_SECRET: 'not-a-secret-anybody-may-see',
    OUTLAY_OPENID_NAME: 'Acme ID',
  }
  /** Begins to sign in at an instance; `end` does that with these claims, and with the cookie of the browser that began. */
  const begin = async (url: string, claims: Readonly<Record<string, unknown>>, changed: Readonly<Record<string, string>> = {}) => {
    const begun = await apiOf(url, null).send('POST', '/session/openid/begin')
    const asked = begun.status === 201 ? new URL(begun.body.address).searchParams : new URLSearchParams()
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
    const code = randomUUID()
    codes.set(code, { nonce: asked.get('nonce'), ...claims })
    const answer = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer, ...changed }).toString()
    const end = (own = cookie) => apiOf(url, null).send('POST', '/session/openid', { answer }, own === '' ? {} : { cookie: own })
    return { begun, cookie, end }
  }
  return {
    issuer,
    settings,
    lie: (next: Lies) => {
      lies = next
    },
    begin,
    /** Begins to sign in at an instance and ends that with these claims; `answer`: changes of what the browser brings back. */
    signIn: async (url: string, claims: Readonly<Record<string, unknown>>, answer: Readonly<Record<string, string>> = {}) => {
      const { begun, end } = await begin(url, claims, answer)
      return begun.status === 201 ? end() : begun
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

function describe(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  }
}

function makeToken({ issuer, lies, claims: own, key }: { issuer: string; lies: Lies; claims: object | undefined; key: KeyObject }) {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: 'outlay', iat: now, exp: now + 300, ...own, ...lies.claims }
  const signed = `${base64url({ alg: 'RS256', kid: 'one', ...lies.header })}.${base64url(claims)}`
  return `${signed}.${lies.isUnsigned ? '' : sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}
