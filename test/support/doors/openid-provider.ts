import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Provider, { type Configuration, type JWK } from 'oidc-provider'

/** What a provider says of an account. */
export type Claims = Readonly<Record<string, unknown>>

/** A real OpenID provider in its own small server: one client, any account signs in by its name. */
export interface TestProvider {
  readonly issuer: string
  /** The settings of an Outlay that uses it. */
  readonly settings: {
    OUTLAY_OPENID_ISSUER: string
    OUTLAY_OPENID_CLIENT_ID: string
    OUTLAY_OPENID_CLIENT_SECRET: string
    OUTLAY_OPENID_NAME: string
  }
  /** The accounts and what is said of each, which tests change. */
  readonly accounts: Map<string, Claims>
  /** Lets browsers come back to these addresses, with new keys from now on. */
  open(redirect_uris: readonly string[]): void
  /** Answers nothing but 503 until it is opened again. */
  stop(): void
  close(): Promise<void>
}

/** Starts a provider; nobody can sign in before it is opened. */
export async function startProvider(): Promise<TestProvider> {
  const refuse: RequestListener = (_request, response) => void response.writeHead(503).end()
  let respond = refuse
  const server = createServer((request, response) => respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Another host name than that of Outlay, so that browsers see two sites.
  const issuer = `http://localhost:${String((server.address() as AddressInfo).port)}`
  const accounts = new Map<string, Claims>()
  const client = { client_id: 'outlay', client_secret: randomBytes(24).toString('hex') }
  return {
    issuer,
    accounts,
    settings: {
      OUTLAY_OPENID_ISSUER: issuer,
      OUTLAY_OPENID_CLIENT_ID: client.client_id,
      OUTLAY_OPENID_CLIENT_SECRET: client.client_secret,
      OUTLAY_OPENID_NAME: 'Acme ID',
    },
    open: (redirect_uris) => {
      respond = serve(issuer, accounts, { ...client, redirect_uris: [...redirect_uris] })
    },
    stop: () => {
      respond = refuse
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function newKey(): JWK {
  return {
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
    kid: randomBytes(4).toString('hex'),
  }
}

type Client = NonNullable<Configuration['clients']>[number]

function serve(issuer: string, accounts: ReadonlyMap<string, Claims>, client: Client): RequestListener {
  const provider = new Provider(issuer, {
    clients: [client],
    jwks: { keys: [newKey()] },
    cookies: { keys: ['for tests'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'locale', 'zoneinfo', 'groups'] },
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts.get(accountId) }) }),
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    renderError: (context, out) => {
      context.body = out
    },
  })
  const callback = provider.callback()
  return (request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, request, response)
    else void callback(request, response)
  }
}

/** A page that asks which account signs in; `cancel` signs in none. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const account = new URLSearchParams(await text(request)).get('account') ?? ''
    const result = account === 'cancel' ? { error: 'access_denied' } : { login: { accountId: account } }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><title>Acme ID</title><h1>Acme ID</h1>
    <form method="post"><label>Account <input name="account" autofocus></label><button>Continue</button></form></html>`)
}
