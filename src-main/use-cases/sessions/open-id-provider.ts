import type { Configuration, CustomFetchOptions, IDToken, UserInfoResponse } from 'openid-client'
import { isLoopback } from '#shared/domain/doors/loopback'
import { findTimezone } from '#shared/domain/timezones'
import { type Language, languageOfTag } from '#shared/domain/locales'
import type { Role } from '#shared/domain/roles'
import type { Clock } from '#main/clock'

/** An operator's settings of the OpenID provider for signing in. */
export interface OpenIdSettings {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
  /** The provider's name for people. */
  readonly name: string
  readonly scopes: string
  /** The claim with the verification of the e-mail address. */
  readonly verified_claim: string
  readonly groups_claim: string
  readonly groups: ReadonlyArray<{ readonly group: string; readonly organization: number; readonly role: Role }>
  /** Whether an unknown person becomes a user by their groups. */
  readonly joins: boolean
  readonly timeout_ms: number
}

/** The person who signed in at a provider, from its ID token. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly name: string | null
  /** Only if the provider says that it was verified. */
  readonly email: string | null
  readonly language: Language | undefined
  readonly timezone: string | undefined
  /** Null if the provider does not say. */
  readonly groups: readonly string[] | null
}

/** The values that the provider's response must match. */
export interface Expected {
  readonly redirect_uri: string
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

/** The values that a browser takes to the provider. */
type Asked = Omit<Expected, 'code_verifier'> & { readonly code_challenge: string }

/** Why a provider signs nobody in: it does not respond, it refused, or its response is invalid. `reason` is for the log. */
export interface Failure {
  readonly kind: 'away' | 'denied' | 'invalid'
  readonly reason: string
}
type Authorization = { readonly kind: 'ready'; readonly address: string } | Failure
type Answered = { readonly kind: 'identified'; readonly identity: Identity } | Failure

/** The provider does not respond in time, or reports that it is unavailable. */
class ProviderAway extends Error {}

const keptMs = 60 * 60_000
const largestBytes = 1024 * 1024

type Metadata = ReturnType<Configuration['serverMetadata']>

/**
 * An OpenID provider, called over the network and never inside a transaction. Its description is read at the first sign-in, and again after an hour
 * or a failure.
 */
export class OpenIdProvider {
  #known: { readonly at: number; readonly metadata: Promise<Metadata> } | undefined

  constructor(
    readonly settings: OpenIdSettings,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {}

  /** The address where a browser signs in; `asks_again`: the provider should ask even if it knows the person. */
  authorize(asked: Asked, { language, asks_again }: { language: Language; asks_again: boolean }): Promise<Authorization> {
    return this.#failing(async () => {
      const { buildAuthorizationUrl } = await import('openid-client')
      const config = await this.#configure()
      const asking = asks_again ? askingAgain(config.serverMetadata()) : {}
      const usual = { code_challenge_method: 'S256', scope: this.settings.scopes, ui_locales: language }
      const address = buildAuthorizationUrl(config, { ...asked, ...usual, ...asking })
      assertSafe(address)
      return { kind: 'ready', address: address.href }
    })
  }

  /** Who a browser signed in as; `answer`: the query with which the provider sent it back. */
  identify(answer: string, { redirect_uri, state, nonce, code_verifier }: Expected): Promise<Answered> {
    return this.#failing(async () => {
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
      const config = await this.#configure()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier, idTokenExpected: true }
      const tokens = await authorizationCodeGrant(config, new URL(`${redirect_uri}?${answer}`), checks)
      const claims = tokens.claims()
      if (!claims) return { kind: 'invalid', reason: 'no ID token' }
      const isWhole = neededClaims(this.settings).every((name) => claims[name] !== undefined)
      const hasMore = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await fetchUserInfo(config, tokens.access_token, claims.sub) : undefined
      return { kind: 'identified', identity: toIdentity(this.settings, claims, more) }
    })
  }

  /** Everything that the library rejects is refused with its reason, as the response came from a browser. The description is then read again. */
  async #failing<T>(work: () => Promise<T | Failure>): Promise<T | Failure> {
    const { AuthorizationResponseError } = await import('openid-client')
    try {
      return await work()
    } catch (error) {
      const chain = chainOf(error)
      const reason = chain.map(wordOf).join(': ')
      if (error instanceof AuthorizationResponseError) return { kind: 'denied', reason }
      this.#known = undefined
      return { kind: chain.some((one) => one instanceof ProviderAway) ? 'away' : 'invalid', reason }
    }
  }

  /** Each has its own copy of the provider's keys, so that a new key is known at once. */
  async #configure(): Promise<Configuration> {
    const openid = await import('openid-client')
    const { issuer, client_id, client_secret, timeout_ms } = this.settings
    const metadata = await this.#findMetadata()
    // In the header, unless the provider says that it does not accept it there.
    const accepted = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = accepted.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost
    const config = new openid.Configuration(metadata, client_id, undefined, authenticate(client_secret))
    config.timeout = timeout_ms / 1000
    config[openid.customFetch] = request
    openid.enableNonRepudiationChecks(config)
    if (isInClear(issuer)) openid.allowInsecureRequests(config)
    return config
  }

  #findMetadata(): Promise<Metadata> {
    const at = this.clock.monotonicMs()
    if (!this.#known || at - this.#known.at >= keptMs) this.#known = { at, metadata: this.#readMetadata() }
    return this.#known.metadata
  }

  async #readMetadata(): Promise<Metadata> {
    const openid = await import('openid-client')
    const { issuer, client_id, timeout_ms } = this.settings
    const execute = isInClear(issuer) ? [openid.allowInsecureRequests] : []
    const ways = { execute, timeout: timeout_ms / 1000, [openid.customFetch]: request }
    return (await openid.discovery(new URL(issuer), client_id, undefined, openid.None(), ways)).serverMetadata()
  }
}

/** The parameters that make a provider ask who signs in, even if it knows. A provider that does not list its prompts may reject an unknown one. */
function askingAgain({ prompt_values_supported: prompts }: Metadata): Record<string, string> {
  const prompt = ['select_account', 'login'].find((name) => Array.isArray(prompts) && prompts.includes(name))
  return prompt === undefined ? { max_age: '0' } : { prompt }
}

function neededClaims({ verified_claim, groups_claim, groups }: OpenIdSettings): string[] {
  return ['email', verified_claim, 'name', ...(groups.length > 0 ? [groups_claim] : [])]
}

/** Some providers write a boolean as text or number. */
const affirmations: readonly unknown[] = [true, 'true', 1, '1']

/** Reads the identity, from the ID token first. An address counts only if the same source says that it was verified. */
function toIdentity(settings: OpenIdSettings, token: IDToken, more?: UserInfoResponse): Identity {
  const claims = { ...more, ...token }
  const text = (name: string) => textOf(claims[name])
  const parts = [text('given_name'), text('family_name')].filter((part) => part !== null).join(' ')
  const vouching = token[settings.verified_claim] === undefined ? more : token
  const isVerified = affirmations.includes(vouching?.[settings.verified_claim])
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: text('name') ?? (parts === '' ? text('preferred_username') : parts),
    email: isVerified ? textOf(vouching?.email) : null,
    language: languageOfTag(text('locale') ?? ''),
    timezone: findTimezone(text('zoneinfo') ?? ''),
    groups: toGroups(claims[settings.groups_claim]),
  }
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null
}

function toGroups(claim: unknown): string[] | null {
  if (typeof claim === 'string') return [claim]
  return Array.isArray(claim) ? claim.filter((group) => typeof group === 'string') : null
}

function isInClear(address: string): boolean {
  return address.startsWith('http:')
}

/** Throws for an address of the provider that is not encrypted, or not http at all. */
function assertSafe({ protocol, hostname, origin }: URL): void {
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) throw new Error(`${origin} is not an https address`)
}

/** Requests an address of the provider's description: encrypted, with limits of time and size. */
async function request(address: string, { body: sent, ...options }: CustomFetchOptions): Promise<Response> {
  assertSafe(new URL(address))
  try {
    const response = await fetch(address, { ...options, body: sent instanceof Uint8Array ? new Uint8Array(sent) : sent })
    if (response.status >= 500) throw new Error(`it responded with ${String(response.status)}`)
    const body = await readWhole(response)
    return new Response(body.byteLength === 0 ? null : body, response)
  } catch (error) {
    throw new ProviderAway(new URL(address).origin, { cause: error })
  }
}

async function readWhole({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > largestBytes) throw new Error('its response is too large')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function chainOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : []
}

/** Only the message, and the provider's error code: the rest may contain claims or tokens. */
function wordOf(error: unknown): string {
  const { message = '', error: named }: { message?: unknown; error?: unknown } = error instanceof Error ? error : {}
  return typeof named === 'string' ? `${String(message)} (${named})` : String(message)
}
