import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { SettingsError, openIdOf, readSettings, uploadBucketOf } from '#main/config/settings'
import { openSettings } from '#main/snapshots/open-settings'
import { createRecoveries } from '#main/snapshots/recoveries'
import { listReports, writeReport } from '#main/snapshots/reports'
import { StartFault } from '#main/snapshots/start-fault'
import { log, start } from '#test/support/spoiled'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outlay-settings-'))
  file = join(folder, 'settings.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = () => openSettings(folder, { env: {}, clock: systemClock })

test.each(['{', '', '\0\0\0', '["OUTLAY_LOG"]', '{"OUTLAY_LOG": "debug"'])(
  'a settings file of %j is quarantined and reported',
  async (text) => {
    await writeFile(file, text)
    expect(await open()).toEqual(readSettings('/nowhere', {}))
    const told = await createRecoveries({ data_folder: folder, clock: systemClock, log }).list()
    expect(told).toMatchObject([{ what: 'settings', reason: expect.stringContaining(file), missing: { is_complete: true } }])
    expect(await readFile(join(told[0]?.folder ?? '', 'settings.json'), 'utf8')).toBe(text)
    expect(await open()).toEqual(readSettings('/nowhere', {}))
    expect(await listReports(folder)).toHaveLength(1)
  },
)

test('a readable file with a value that is not valid is refused by its name, and stays', async () => {
  const text = '{"OUTLAY_RATE_LIMIT": "many", "OUTLAY_LOG": "debug"}'
  await writeFile(file, text)
  await expect(open()).rejects.toThrow(SettingsError)
  await expect(open()).rejects.toThrow('OUTLAY_RATE_LIMIT')
  expect(await readFile(file, 'utf8')).toBe(text)
  expect(await listReports(folder)).toEqual([])
})

const bucket = {
  OUTLAY_UPLOAD_BUCKET_URL: 'https://s3.example.org/receipts',
  OUTLAY_UPLOAD_BUCKET_ACCESS_KEY_ID: 'id',
  OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY: 'a secret',
}

test('a bucket is named by its address and its key, in a region or the usual one', () => {
  const access = { url: bucket.OUTLAY_UPLOAD_BUCKET_URL, access_key_id: 'id', secret_access_key: 'a secret' }
  expect(uploadBucketOf(readSettings(folder, bucket))).toEqual({ ...access, region: 'us-east-1' })
  const elsewhere = readSettings(folder, { ...bucket, OUTLAY_UPLOAD_BUCKET_REGION: 'sa-east-1' })
  expect(uploadBucketOf(elsewhere)).toEqual({ ...access, region: 'sa-east-1' })
  expect(uploadBucketOf(readSettings(folder, {}))).toBeUndefined()
})

test.each([...Object.keys(bucket)])('a bucket without %s is refused by that name', (name) => {
  const half = { ...bucket, [name]: undefined }
  expect(() => readSettings(folder, half)).toThrow(SettingsError)
  expect(() => readSettings(folder, half)).toThrow(`The setting ${name} is not valid: a bucket needs`)
  expect(() => readSettings(folder, half)).not.toThrow('a secret')
})

test('a region without a bucket is refused', () => {
  expect(() => readSettings(folder, { OUTLAY_UPLOAD_BUCKET_REGION: 'sa-east-1' })).toThrow('OUTLAY_UPLOAD_BUCKET_URL')
})

test.each([
  ...['s3://receipts', 'https://s3.example.org', 'https://s3.example.org/', 'https://s3.example.org/a/b', 'receipts'],
  ...['https://id:key@s3.example.org/receipts', 'https://s3.example.org/receipts?x=1', 'https://s3.example.org/..'],
])('%s is no address of a bucket', (url) => {
  expect(() => readSettings(folder, { ...bucket, OUTLAY_UPLOAD_BUCKET_URL: url })).toThrow('OUTLAY_UPLOAD_BUCKET_URL')
})

test.each([false, true])(
  'an interrupted start continues with it (the file moved: %s), and none takes it for a database',
  async (isMoved) => {
    await writeFile(file, '{')
    await open()
    const [report] = await listReports(folder)
    if (!report) throw new Error('There is no report.')
    await writeReport({ ...report, state: 'moving' })
    if (!isMoved) await rename(join(report.folder, 'settings.json'), file)
    const app = await start(folder).catch(() => undefined)
    if (app && !(app instanceof StartFault)) await app.close()
    await open()
    expect(await listReports(folder)).toMatchObject([{ id: report.id, what: 'settings', state: 'done' }])
    expect(await readFile(join(report.folder, 'settings.json'), 'utf8')).toBe('{')
  },
)

const openid = {
  OUTLAY_OPENID_ISSUER: 'https://accounts.example.org/realms/acme',
  OUTLAY_OPENID_CLIENT_ID: 'outlay',
  OUTLAY_OPENID_CLIENT_SECRET: 'a secret',
}
const groups = [{ group: '/finance, all', organization: 1, role: 'manager' }] as const

test('an OpenID provider is named by its issuer, the client and its secret, also from a file; groups as JSON or as a list', async () => {
  expect(openIdOf(readSettings(folder, {}))).toBeUndefined()
  const usual = { name: 'accounts.example.org', groups: [], joins: false, verified_claim: 'email_verified' }
  expect(openIdOf(readSettings(folder, openid))).toMatchObject({ ...usual, client_secret: 'a secret' })
  const path = join(folder, 'secret')
  await writeFile(path, 'from a file\n')
  const { OUTLAY_OPENID_CLIENT_SECRET: _secret, ...named } = openid
  const inFile = { ...named, OUTLAY_OPENID_CLIENT_SECRET_FILE: path, OUTLAY_OPENID_GROUPS: JSON.stringify(groups) }
  expect(openIdOf(readSettings(folder, inFile))).toMatchObject({ client_secret: 'from a file', groups })
  await writeFile(file, JSON.stringify({ ...openid, OUTLAY_OPENID_GROUPS: groups, OUTLAY_OPENID_JOIN: true }))
  expect(openIdOf(readSettings(folder, {}))).toMatchObject({ groups, joins: true })
})

test.each([
  ['OUTLAY_OPENID_ISSUER', { OUTLAY_OPENID_ISSUER: undefined }],
  ['OUTLAY_OPENID_ISSUER', { OUTLAY_OPENID_ISSUER: 'http://accounts.example.org' }],
  ['OUTLAY_OPENID_ISSUER', { OUTLAY_OPENID_ISSUER: 'https://user:password@accounts.example.org' }],
  ['OUTLAY_OPENID_ISSUER', { OUTLAY_OPENID_ISSUER: 'accounts.example.org' }],
  ['OUTLAY_OPENID_CLIENT_ID', { OUTLAY_OPENID_CLIENT_ID: undefined }],
  ['OUTLAY_OPENID_CLIENT_SECRET', { OUTLAY_OPENID_CLIENT_SECRET: undefined }],
  ['OUTLAY_OPENID_CLIENT_SECRET_FILE', { OUTLAY_OPENID_CLIENT_SECRET: undefined, OUTLAY_OPENID_CLIENT_SECRET_FILE: '/nowhere' }],
  ['OUTLAY_OPENID_SCOPES', { OUTLAY_OPENID_SCOPES: 'email profile' }],
  ['OUTLAY_OPENID_GROUPS', { OUTLAY_OPENID_GROUPS: 'finance=manager' }],
  ['OUTLAY_OPENID_GROUPS', { OUTLAY_OPENID_GROUPS: '[{"group":"finance","organization":1,"role":"owner"}]' }],
  ['OUTLAY_OPENID_JOIN', { OUTLAY_OPENID_JOIN: '1' }],
])('an OpenID provider is refused by the name of what is wrong: %s, %j', (name, wrong) => {
  expect(() => readSettings(folder, { ...openid, ...wrong })).toThrow(`The setting ${name} is not valid`)
})

describe('a slip of the keyboard', () => {
  test.each([
    ['OUTLAY_RATE_LIMT', 'OUTLAY_RATE_LIMIT'],
    ['OUTLAY_SMPT_URL', 'OUTLAY_SMTP_URL'],
    ['OUTLAY_PUBLIC_ULR', 'OUTLAY_PUBLIC_URL'],
    ['OUTLAY_LOGS', 'OUTLAY_LOG'],
  ])('%s is no setting: %s is', async (slip, meant) => {
    const error = `There is no setting ${slip}. Do you mean ${meant}?`
    expect(() => readSettings(folder, { [slip]: '1' })).toThrow(error)
    await writeFile(file, JSON.stringify({ [slip]: 1 }))
    expect(() => readSettings(folder, {})).toThrow(error)
  })

  test('other programs may have names of their own in the environment, and nobody in the file', async () => {
    const kubernetes = { OUTLAY_PORT: 'tcp://10.0.0.1:80', OUTLAY_SERVICE_HOST: '10.0.0.1', OUTLAY_PORT_80_TCP_ADDR: '10.0.0.1' }
    expect(readSettings(folder, { ...kubernetes, OUTLAY_DATA: folder })).toEqual(readSettings('/nowhere', {}))
    await writeFile(file, '{"color": "red"}')
    expect(() => readSettings(folder, {})).toThrow('There is no setting color.')
  })

  test.each([
    ['OUTLAY_UPLOAD_MAX_BYTES', '25MB', 'expected a whole number, such as 26214400'],
    ['OUTLAY_UPLOAD_MAX_BYTES', '0', 'such as 26214400'],
    ['OUTLAY_RATE_LIMIT', '-1', 'such as 600'],
    ['OUTLAY_SNAPSHOT_MINUTES', '1.5', 'such as 15'],
    ['OUTLAY_METRICS_PORT', '70000', 'from 1 to 65535, such as 9464'],
    ['OUTLAY_DATABASE_URL', 'mysql://localhost/outlay', 'like postgres://user:password@localhost/outlay'],
    ['OUTLAY_ALLOWED_HOSTS', 'https://expenses.example.org', 'like expenses.example.org, without https:// and paths'],
    ['OUTLAY_ALLOWED_HOSTS', 'expenses.example.org/outlay', 'like expenses.example.org'],
    ['OUTLAY_PUBLIC_URL', 'https://example.org/outlay', 'without a path, like https://expenses.example.org'],
    ['OUTLAY_PUBLIC_URL', 'expenses.example.org', 'like https://expenses.example.org'],
    ['OUTLAY_SMTP_URL', 'mail.example.org', 'like smtps://user:password@mail.example.org'],
    ['OUTLAY_MAIL_FROM', 'Outlay', 'like Outlay <outlay@example.org>'],
    ['OUTLAY_IMAP_URL', 'pop3://mail.example.org', 'like imaps://'],
    ['OUTLAY_IMAP_ADDRESS', 'receipts', 'like receipts@example.org'],
    ['OUTLAY_WITNESS_URL', 'ftp://example.org', 'like https://'],
    ['OUTLAY_TRUSTED_PROXIES', 'proxy', 'like 10.0.0.0/8'],
    ['OUTLAY_LOG', 'verbose', 'one of debug, info, warn, error, silent'],
    ['OUTLAY_BUCKET_STYLE', 'dns', 'one of path, host'],
    ['OUTLAY_SYNC', 'yes', 'expected 1 or 0'],
  ])('%s=%s: the error has an example', (name, value, example) => {
    expect(() => readSettings(folder, { [name]: value })).toThrow(`The setting ${name} is not valid: `)
    expect(() => readSettings(folder, { [name]: value })).toThrow(example)
  })

  test.each([
    ['OUTLAY_ALLOWED_HOSTS', 'a.example.org, b.example.org:8443,192.168.1.4,[fd00::1]'],
    ['OUTLAY_PUBLIC_URL', 'https://expenses.example.org/'],
    ['OUTLAY_PUBLIC_URL', 'http://localhost:8080'],
    ['OUTLAY_IMAP_URL', 'imaps://user%40example.org:password@mail.example.org/INBOX'],
  ])('%s=%s is as it should be', (name, value) => {
    expect(() => readSettings(folder, { [name]: value })).not.toThrow()
  })
})
