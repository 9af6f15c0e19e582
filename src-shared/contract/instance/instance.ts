import { z } from 'zod'
import { expenseStatuses } from '#shared/domain/expense-status'
import { languages } from '#shared/domain/locales'
import { currency, oneOf, requiredText } from '../fields'
import { role, userRepresentation } from '../representations'
import { recovery } from './recoveries'
import { nothing } from '../requests'
import { route } from '../route'

const plain = { params: nothing, query: nothing, body: nothing, status: 200 } as const

/** What an approval rule covers, in minor units of its currency; a null amount: any; without tags: all expenses. */
const approvalTerm = z.object({ amount_minor: z.int().nullable(), currency: z.string().nullable(), tag_ids: z.array(z.int()) })

/** The signed-in user, and their organizations. */
export const sessionRepresentation = z
  .object({
    user: userRepresentation.extend({ locale: z.enum(languages), timezone: z.string(), default_currency: z.string() }),
    memberships: z.array(
      z.object({
        role,
        /** The statuses to which the person may not move their own expenses in the organization. */
        own_kept_from: z.array(z.enum(expenseStatuses)),
        /** Whether the person decides as someone's stand-in. */
        stands_in: z.boolean(),
        /** What the person may approve; null: everything. */
        authority: z.array(approvalTerm).nullable(),
        /** The rules for decisions by two people. */
        second_looks: z.array(approvalTerm),
        /** The closed months of the organization, such as `2026-10`. */
        closed_months: z.array(z.string()),
        organization: z.object({
          id: z.int(),
          uid: z.string(),
          name: z.string(),
          expired: z.boolean(),
          restricted_tags: z.boolean(),
          separate_approval: z.boolean(),
          separate_payment: z.boolean(),
        }),
      }),
    ),
    /** How the caller signed in; the local user of a desktop cannot sign out. */
    way: z.enum(['token', 'session', 'local']),
    upload_max_bytes: z.int(),
    /** The position in the feed of open pages before this was read: a page that sends it as `Last-Event-ID` misses nothing. */
    feed_place: z.string(),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof sessionRepresentation>

/** The instance itself: its health, its API, the signed-in user (supplement 4; extensions of the contract). */
export const instanceRoutes = {
  health: route({
    ...plain,
    name: 'health',
    action: 'instance.read',
    method: 'GET',
    path: '/health',
    summary: 'Say that the server is up',
    response: z.object({ status: z.literal('ok'), version: z.string() }),
  }),
  openapi: route({
    ...plain,
    name: 'openapi',
    action: 'instance.read',
    method: 'GET',
    path: '/openapi.json',
    summary: 'Describe every endpoint',
    response: z.record(z.string(), z.unknown()),
  }),
  showSession: route({
    ...plain,
    name: 'session.show',
    action: 'account.manage',
    method: 'GET',
    path: '/session',
    summary: 'Show who is signed in',
    response: sessionRepresentation,
  }),
  signIn: route({
    ...plain,
    name: 'session.create',
    action: 'session.create',
    method: 'POST',
    path: '/session',
    summary: 'Turn an API token, or a one-time code, into a browser session',
    body: z.object({ token: z.string('invalid').max(500, 'invalid').optional(), code: z.string('invalid').max(500, 'invalid').optional() }),
    response: sessionRepresentation,
    status: 201,
  }),
  signOut: route({
    ...plain,
    name: 'session.destroy',
    action: 'account.manage',
    method: 'DELETE',
    path: '/session',
    summary: 'End the browser session',
    response: z.null(),
    status: 204,
  }),
  showSetup: route({
    ...plain,
    name: 'setup.show',
    action: 'instance.read',
    method: 'GET',
    path: '/setup',
    summary: 'Say whether the instance still has to be set up',
    response: z.object({
      needed: z.boolean(),
      email_sign_in: z.boolean(),
      /** The origin for signing in with a passkey; null: not possible. */
      passkey_origin: z.string().nullable(),
      recovery_codes: z.boolean(),
      /** The name of the OpenID provider, and the origin of the pages where sign-in begins; null: none. */
      openid: z.object({ name: z.string(), origin: z.string() }).nullable(),
      /** Damage found at startup, after which the instance started over: only shown to the person at the machine. */
      recoveries: z.array(recovery),
    }),
  }),
  setUp: route({
    ...plain,
    name: 'setup.create',
    action: 'instance.set_up',
    method: 'POST',
    path: '/setup',
    summary: 'Make the first organization and its admin, or fill the instance with demo data',
    body: z.object({
      code: z.string('invalid').max(500, 'invalid').optional(),
      kind: oneOf(['organization', 'demo']),
      organization: requiredText().optional(),
      name: requiredText().optional(),
      email: z.email('invalid').optional(),
      currency: currency.optional(),
      locale: oneOf(languages).optional(),
    }),
    response: sessionRepresentation,
    status: 201,
  }),
  setUpReplica: route({
    ...plain,
    name: 'setup.connect',
    action: 'instance.set_up',
    method: 'POST',
    path: '/setup/remote',
    summary: 'Make an instance that has nobody yet a replica of a remote one, and sign its user in',
    body: z.object({
      code: z.string('invalid').max(500, 'invalid').optional(),
      url: z.url({ protocol: /^https?$/, error: 'invalid' }),
      token: z.string('invalid').trim().min(1, 'blank').max(500),
    }),
    response: sessionRepresentation,
    status: 201,
  }),
}
