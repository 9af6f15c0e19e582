import { z } from 'zod'
import { requiredText } from '../fields'
import { instantText } from '../representations'
import { idParams, nothing } from '../requests'
import { route } from '../route'
import { sessionRepresentation } from './instance'

/** One of the caller's passkeys (extension). */
export const passkeyRepresentation = z
  .object({
    id: z.int(),
    name: z.string(),
    created_at: instantText,
    last_used_at: instantText.nullable(),
    /** When it signed with a repeated counter, as a copy does; since then it cannot sign in. */
    cloned_at: instantText.nullable(),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof passkeyRepresentation>

const base64url = (max: number) =>
  z
    .string('invalid')
    .max(max, 'invalid')
    .regex(/^[\w-]+$/, 'invalid')
const credentialId = base64url(1400)
const type = z.literal('public-key', 'invalid')
/** Results of extensions are not used. */
const clientExtensionResults = z.object({}, 'invalid').default({})

/** The result of `navigator.credentials.create()`, as JSON. */
const attestation = z.object(
  {
    id: credentialId,
    rawId: credentialId,
    type,
    response: z.object({ clientDataJSON: base64url(10_000), attestationObject: base64url(100_000) }, 'invalid'),
    clientExtensionResults,
  },
  'invalid',
)
export type Attestation = z.output<typeof attestation>

/** The result of `navigator.credentials.get()`, as JSON. */
const assertion = z.object(
  {
    id: credentialId,
    rawId: credentialId,
    type,
    response: z.object(
      {
        clientDataJSON: base64url(10_000),
        authenticatorData: base64url(10_000),
        signature: base64url(10_000),
        userHandle: base64url(200).optional(),
      },
      'invalid',
    ),
    clientExtensionResults,
  },
  'invalid',
)
export type Assertion = z.output<typeof assertion>

const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(z.object({ type: z.literal('public-key'), id: z.string() })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type CreationOptions = z.output<typeof creationOptions>

const requestOptions = z.object({ rpId: z.string(), challenge: z.string(), timeout: z.int(), userVerification: z.literal('required') })
export type RequestOptions = z.output<typeof requestOptions>

const own = { action: 'doors.manage', query: nothing } as const
const open = { action: 'session.create', method: 'POST', params: nothing, query: nothing } as const

/** Passkeys (WebAuthn): the caller's, and signing in with one (extension). */
export const passkeyRoutes = {
  list: route({
    ...own,
    name: 'passkeys.list',
    method: 'GET',
    path: '/user/passkeys',
    summary: "List the caller's passkeys, newest first",
    params: nothing,
    body: nothing,
    response: z.object({
      /** The origin for passkeys; null: they cannot be used on this server. */
      origin: z.string().nullable(),
      passkeys: z.array(passkeyRepresentation),
    }),
    status: 200,
  }),
  challenge: route({
    ...own,
    name: 'passkeys.challenge',
    method: 'POST',
    path: '/user/passkeys/challenge',
    summary: 'Begin to add a passkey: the options for `navigator.credentials.create()`, valid once for five minutes',
    params: nothing,
    body: nothing,
    response: creationOptions,
    status: 201,
  }),
  create: route({
    ...own,
    name: 'passkeys.create',
    method: 'POST',
    path: '/user/passkeys',
    summary: 'Add the passkey that the browser made for a challenge',
    params: nothing,
    body: z.object({ name: requiredText(100), passkey: attestation }),
    response: passkeyRepresentation,
    status: 201,
  }),
  destroy: route({
    ...own,
    name: 'passkeys.destroy',
    method: 'DELETE',
    path: '/user/passkeys/:id',
    summary: 'Remove a passkey; it signs in nobody any more',
    params: idParams,
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  ask: route({
    ...open,
    name: 'session.challenge_passkey',
    path: '/session/passkey/challenge',
    summary: 'Begin to sign in with a passkey: the options for `navigator.credentials.get()`, valid once for five minutes',
    body: nothing,
    response: requestOptions,
    status: 201,
  }),
  signIn: route({
    ...open,
    name: 'session.create_by_passkey',
    path: '/session/passkey',
    summary: 'Turn what a passkey signed for a challenge into a browser session',
    body: z.object({ passkey: assertion }),
    response: sessionRepresentation,
    status: 201,
  }),
}
