import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { isLoopback } from '#shared/domain/doors/loopback'
import { roles } from '#shared/domain/roles'
import { findSlip } from './misspelt-settings'

/** A whole number in digits; `example`: a valid one. */
const count = (example: number, { least = 0, most = Number.MAX_SAFE_INTEGER } = {}) => {
  const error = `expected a whole number${most < 100_000 ? ` from ${least} to ${most}` : ''}, such as ${example}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}
/** A whole number from 1; `usual`: the default. */
const whole = (usual: number) => count(usual, { least: 1 }).default(usual)
const flag = z.union([z.boolean(), z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true')], {
  error: 'expected 1 or 0',
})
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean),
)
const address = (protocol: RegExp, example: string) => z.url({ protocol, error: `expected an address like ${example}` })
const mailAddress = z.email({ error: 'expected an e-mail address like receipts@example.org' })
const bucketAddress = z.string().refine(isBucketAddress, 'expected an address like https://s3.example.org/bucket-name')
const oneOf = <const V extends readonly string[]>(values: V) => z.enum(values, { error: `expected one of ${values.join(', ')}` })

const groupRoles = z.array(z.strictObject({ group: z.string().min(1), organization: z.int().positive(), role: z.enum(roles) }))

/** An operator's settings (supplement 3, "Settings"), by environment variable. */
const settingsShape = z.object({
  OUTLAY_UPLOAD_TTL_S: whole(3600),
  OUTLAY_UPLOAD_MAX_BYTES: whole(25 * 1024 * 1024),
  OUTLAY_PARTIAL_UPLOADS: whole(20),
  OUTLAY_PARTIAL_UPLOAD_BYTES: whole(256 * 1024 * 1024),
  OUTLAY_REQUEST_TIMEOUT_MS: whole(300_000),
  OUTLAY_UPLOAD_BUCKET_URL: bucketAddress.optional(),
  OUTLAY_UPLOAD_BUCKET_REGION: z.string().min(1).optional(),
  OUTLAY_UPLOAD_BUCKET_ACCESS_KEY_ID: z.string().min(1).optional(),
  OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  OUTLAY_BUCKET_URL: bucketAddress.optional(),
  OUTLAY_BUCKET_REGION: z.string().min(1).default('us-east-1'),
  OUTLAY_BUCKET_STYLE: oneOf(['path', 'host']).default('path'),
  OUTLAY_BUCKET_ACCESS_KEY_ID: z.string().min(1).optional(),
  OUTLAY_BUCKET_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  OUTLAY_BUCKET_SECRET_FILE: z.string().min(1).optional(),
  OUTLAY_BUCKET_TIMEOUT_MS: whole(15_000),
  OUTLAY_LOGIN_THROTTLE: whole(20),
  OUTLAY_RATE_LIMIT: count(600).default(0),
  OUTLAY_ALLOWED_HOSTS: list
    .refine((all) => all.every(isHost), 'expected host names like expenses.example.org, without https:// and paths')
    .default([]),
  OUTLAY_TRUSTED_PROXIES: list.refine((all) => all.every(isNetwork), 'expected addresses or ranges like 10.0.0.0/8').default([]),
  OUTLAY_PUBLIC_URL: z.string().refine(isOrigin, 'expected an address without a path, like https://expenses.example.org').optional(),
  OUTLAY_SMTP_URL: address(/^smtps?$/, 'smtps://user:password@mail.example.org').optional(),
  OUTLAY_MAIL_FROM: z
    .string()
    .refine((text) => text.includes('@'), 'expected a sender like Outlay <outlay@example.org>')
    .default('Outlay <outlay@localhost>'),
  OUTLAY_MAIL_DIGEST_MS: whole(10_000),
  OUTLAY_EMAIL_SIGN_IN: flag.default(true),
  OUTLAY_OPENID_ISSUER: z
    .string()
    .refine(isIssuer, 'expected an https address like https://accounts.example.org/realms/acme; http is for this computer only')
    .optional(),
  OUTLAY_OPENID_CLIENT_ID: z.string().min(1).optional(),
  OUTLAY_OPENID_CLIENT_SECRET: z.string().min(1).optional(),
  OUTLAY_OPENID_CLIENT_SECRET_FILE: z.string().min(1).optional(),
  OUTLAY_OPENID_NAME: z.string().trim().min(1).max(40).optional(),
  OUTLAY_OPENID_SCOPES: z
    .string()
    .refine((text) => text.split(' ').includes('openid'), 'expected names separated by spaces, openid among them')
    .default('openid email profile'),
  OUTLAY_OPENID_VERIFIED_CLAIM: z.string().min(1).default('email_verified'),
  OUTLAY_OPENID_GROUPS_CLAIM: z.string().min(1).default('groups'),
  OUTLAY_OPENID_GROUPS: z.unknown().transform(toGroupRoles).default([]),
  OUTLAY_OPENID_JOIN: flag.default(false),
  OUTLAY_OPENID_TIMEOUT_MS: whole(10_000),
  OUTLAY_WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  OUTLAY_WEBHOOK_BACKOFF_MS: whole(15_000),
  OUTLAY_WEBHOOK_TIMEOUT_MS: whole(10_000),
  OUTLAY_SYNC: flag.default(true),
  OUTLAY_SNAPSHOT_MINUTES: count(15).default(15),
  OUTLAY_SNAPSHOT_FOLDER: z.string().optional(),
  OUTLAY_SEAL_MS: whole(60_000),
  OUTLAY_AUDIT_KEY_FILE: z.string().min(1).optional(),
  OUTLAY_WITNESS_FILE: z.string().min(1).optional(),
  OUTLAY_WITNESS_URL: address(/^https?$/, 'https://witness.example.org/heads').optional(),
  OUTLAY_WITNESS_EMAIL: mailAddress.optional(),
  OUTLAY_READ_RECEIPTS: flag.default(true),
  OUTLAY_IMAP_URL: address(/^imaps?$/, 'imaps://user:password@mail.example.org/INBOX').optional(),
  OUTLAY_IMAP_ADDRESS: mailAddress.optional(),
  OUTLAY_IMAP_AUTHSERV: z.string().min(1).optional(),
  OUTLAY_IMAP_MS: whole(60_000),
  OUTLAY_INVOICE_ROOTS: z.string().min(1).optional(),
  OUTLAY_METRICS_PORT: count(9464, { least: 1, most: 65_535 }).optional(),
  OUTLAY_METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  OUTLAY_STOP_AFTER_MS: count(6000).default(0),
  OUTLAY_DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user:password@localhost/outlay').optional(),
  OUTLAY_LOG: oneOf(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})
const ofBucket = ['OUTLAY_UPLOAD_BUCKET_URL', 'OUTLAY_UPLOAD_BUCKET_ACCESS_KEY_ID', 'OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY'] as const
/** Storing files in a bucket needs one setting of each row. */
const ofFiles = [
  ['OUTLAY_BUCKET_URL'],
  ['OUTLAY_BUCKET_ACCESS_KEY_ID'],
  ['OUTLAY_BUCKET_SECRET_ACCESS_KEY', 'OUTLAY_BUCKET_SECRET_FILE'],
] as const
const ofOpenId = [
  ['OUTLAY_OPENID_ISSUER'],
  ['OUTLAY_OPENID_CLIENT_ID'],
  ['OUTLAY_OPENID_CLIENT_SECRET', 'OUTLAY_OPENID_CLIENT_SECRET_FILE'],
] as const
/** Groups of settings: once any of them is given, each row needs one. */
const together = [
  {
    rows: ofFiles,
    message: 'a bucket for files needs OUTLAY_BUCKET_URL, OUTLAY_BUCKET_ACCESS_KEY_ID, and its secret or OUTLAY_BUCKET_SECRET_FILE',
  },
  {
    rows: ofOpenId,
    message:
      'OpenID Connect needs OUTLAY_OPENID_ISSUER, OUTLAY_OPENID_CLIENT_ID, and OUTLAY_OPENID_CLIENT_SECRET or OUTLAY_OPENID_CLIENT_SECRET_FILE',
  },
] as const
const schema = settingsShape.superRefine((settings, context) => {
  const isAny = settings.OUTLAY_UPLOAD_BUCKET_REGION !== undefined || ofBucket.some((name) => settings[name] !== undefined)
  const message = `a bucket needs ${ofBucket.join(', ')}, or none of them`
  for (const name of ofBucket) if (isAny && settings[name] === undefined) context.addIssue({ code: 'custom', path: [name], message })
  for (const { rows, message: needed } of together) {
    const given = rows.map((names) => names.some((name) => settings[name] !== undefined))
    for (const [index, [name]] of rows.entries())
      if (given.includes(true) && given[index] !== true) context.addIssue({ code: 'custom', path: [name], message: needed })
  }
  if (settings.OUTLAY_OPENID_JOIN && settings.OUTLAY_OPENID_GROUPS.length === 0)
    context.addIssue({
      code: 'custom',
      path: ['OUTLAY_OPENID_JOIN'],
      message: 'it needs OUTLAY_OPENID_GROUPS, which say where people join',
    })
})
export type Settings = z.infer<typeof schema>

/** An invalid settings file or variable; `message` names it. */
export class SettingsError extends Error {}
/** The settings file cannot be parsed. */
export class SettingsDamaged extends SettingsError {}

/** The bucket that takes uploads instead of the server, if set. */
export function uploadBucketOf(settings: Partial<Settings>) {
  const {
    OUTLAY_UPLOAD_BUCKET_URL: url,
    OUTLAY_UPLOAD_BUCKET_REGION: region = 'us-east-1',
    OUTLAY_UPLOAD_BUCKET_ACCESS_KEY_ID: access_key_id,
    OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY: secret_access_key,
  } = settings
  if (url === undefined || access_key_id === undefined || secret_access_key === undefined) return undefined
  return { url, region, access_key_id, secret_access_key }
}

/** The address from which those of people for receipts are derived; null if no mailbox is read. */
export function mailAddressOf({ OUTLAY_IMAP_URL: url, OUTLAY_IMAP_ADDRESS: address }: Partial<Settings>): string | null {
  return url === undefined || address === undefined ? null : address
}

/** The bucket that stores files, if set. */
export function bucketOf(settings: Partial<Settings>) {
  const {
    OUTLAY_BUCKET_URL: url,
    OUTLAY_BUCKET_REGION: region = 'us-east-1',
    OUTLAY_BUCKET_STYLE: style = 'path',
    OUTLAY_BUCKET_ACCESS_KEY_ID: access_key_id,
    OUTLAY_BUCKET_SECRET_ACCESS_KEY: secret_access_key,
    OUTLAY_BUCKET_TIMEOUT_MS: timeout_ms = 15_000,
  } = settings
  if (url === undefined || access_key_id === undefined || secret_access_key === undefined) return undefined
  return { url, region, style, access_key_id, secret_access_key, timeout_ms }
}

/** The OpenID provider for signing in, if set. */
export function openIdOf(settings: Partial<Settings>) {
  const { OUTLAY_OPENID_ISSUER: issuer, OUTLAY_OPENID_CLIENT_ID: client_id, OUTLAY_OPENID_CLIENT_SECRET: client_secret } = settings
  if (issuer === undefined || client_id === undefined || client_secret === undefined) return undefined
  return {
    issuer,
    client_id,
    client_secret,
    name: settings.OUTLAY_OPENID_NAME ?? new URL(issuer).hostname,
    scopes: settings.OUTLAY_OPENID_SCOPES ?? 'openid email profile',
    verified_claim: settings.OUTLAY_OPENID_VERIFIED_CLAIM ?? 'email_verified',
    groups_claim: settings.OUTLAY_OPENID_GROUPS_CLAIM ?? 'groups',
    groups: settings.OUTLAY_OPENID_GROUPS ?? [],
    joins: settings.OUTLAY_OPENID_JOIN ?? false,
    timeout_ms: settings.OUTLAY_OPENID_TIMEOUT_MS ?? 10_000,
  }
}

/** Reads the settings of a data folder: `settings.json`, overridden by the environment. */
export function readSettings(dataFolder: string, env: NodeJS.ProcessEnv): Settings {
  const file = readFile(join(dataFolder, 'settings.json'))
  const slip = findSlip({ known: Object.keys(settingsShape.shape), inFile: Object.keys(file), inEnvironment: Object.keys(env) })
  if (slip !== undefined) throw new SettingsError(slip)
  const parsed = schema.safeParse({ ...file, ...definedOf(env) })
  if (parsed.success) return withSecrets(parsed.data)
  const [issue] = parsed.error.issues
  throw new SettingsError(`The setting ${String(issue?.path[0])} is not valid: ${issue?.message ?? ''}.`)
}

/** Secrets that may be in a file, with the setting that names it. */
const secretFiles = [
  ['OUTLAY_BUCKET_SECRET_ACCESS_KEY', 'OUTLAY_BUCKET_SECRET_FILE'],
  ['OUTLAY_OPENID_CLIENT_SECRET', 'OUTLAY_OPENID_CLIENT_SECRET_FILE'],
] as const

function withSecrets(settings: Settings): Settings {
  return secretFiles.reduce((known, [name, file]) => {
    const path = known[file]
    return path === undefined || known[name] !== undefined ? known : { ...known, [name]: readSecret(file, path) }
  }, settings)
}

/** The secret in a file that a setting names. Throws {@link SettingsError}. */
function readSecret(setting: string, path: string): string {
  let secret = ''
  try {
    secret = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingsError(`The setting ${setting} is not valid: ${reason}.`)
  }
  if (secret === '') throw new SettingsError(`The setting ${setting} is not valid: ${path} is empty.`)
  return secret
}

/** Parses groups and their roles, from a list or its JSON. */
function toGroupRoles(given: unknown, context: z.RefinementCtx): z.infer<typeof groupRoles> {
  const parsed = groupRoles.safeParse(typeof given === 'string' ? jsonOf(given) : given)
  if (parsed.success) return parsed.data
  context.addIssue({ code: 'custom', message: 'expected a list like [{"group": "finance", "organization": 1, "role": "manager"}]' })
  return z.NEVER
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a text is an issuer's address: without a query, and unencrypted only on this computer. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  const { protocol, hostname, search, hash, username, password } = url
  return (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) && `${search}${hash}${username}${password}` === ''
}

function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text) || (ipaddr.isValid(text) && !/^\d+$/.test(text))
}

/** Whether a text is a host name or address, with an optional port. */
function isHost(text: string): boolean {
  return URL.parse(`http://${text}`)?.host.replace(/:80$/, '') === text.replace(/:80$/, '')
}

/** Whether a text is an http or https address that ends after its host. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  const { protocol, pathname, search, hash, username, password } = url
  return /^https?:$/.test(protocol) && pathname === '/' && `${search}${hash}${username}${password}` === ''
}

/** Whether an address is in path style: a host, and one folder with the bucket's name. */
function isBucketAddress(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  const { protocol, pathname, search, hash, username, password } = url
  return /^https?:$/.test(protocol) && /^\/[A-Za-z0-9][\w.-]*\/?$/.test(pathname) && `${search}${hash}${username}${password}` === ''
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (name in settingsShape.shape && value ? [[name, value]] : [])))
}

function readFile(path: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return {}
  }
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch {
    throw new SettingsDamaged(`The settings file ${path} is not valid JSON. Repair it or move it away.`)
  }
}
