import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '#main/clock'
import { recordExpense } from '#test/support/expenses'
import { type Instance, type Person, startInstance } from '#test/support/instance'
import { startS3 } from '#test/support/s3'
import { type SampleFile, jpgFile, pdfFile } from '#test/support/sample-files'
import { type Credentials, elementOf, fieldsFor, getCredentials, toForm, uploadFile } from '#test/support/upload'

let offsetMs = 0
const clock: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + offsetMs) }
const limits = { OUTLAY_UPLOAD_MAX_BYTES: 200_000 }
const invalid = { status: 422, body: { errors: { file: ['is invalid'] } } }
const s3 = await startS3(() => clock.now())
const instance = await startInstance({ clock, settings: { ...limits, ...s3.settings } })
const jpg = await jpgFile({ width: 300, height: 200 })
afterAll(async () => {
  await instance.remove()
  await s3.close()
})
beforeEach(() => {
  offsetMs = 0
  s3.objects.clear()
  s3.reads.length = 0
})

type Fields = Array<[string, string]>

async function post(credentials: Credentials, file: SampleFile, change: (fields: Fields) => Fields = (fields) => fields) {
  const response = await fetch(credentials.host, { method: 'POST', body: toForm(change(fieldsFor(credentials, file)), file) })
  const text = await response.text()
  return { status: response.status, code: elementOf(text, 'Code'), text, location: elementOf(text, 'Location') }
}

async function claim(person: Person, file: string, at: Instance = instance) {
  const { id } = await recordExpense(at, person)
  return person.api.send('POST', `/expenses/${id}/attachments`, { file })
}

/** What the instance has taken in. */
async function stored({ app, folder }: Instance = instance) {
  const filesIn = (name: string) => readdir(join(folder, name), { recursive: true }).catch(() => [])
  const uploads = await app.store.reader.db.selectFrom('uploads').select('id').execute()
  const attachments = await app.store.reader.db.selectFrom('attachments').select('id').execute()
  return {
    ...{ uploads: uploads.length, attachments: attachments.length },
    ...{ incoming: await filesIn('incoming'), blobs: (await filesIn('blobs')).length },
  }
}

test('credentials name the bucket, and hold what signature version 4 needs and nothing of the secret', async () => {
  const { body } = await instance.member.api.get('/uploads/new')
  expect(body).toMatchObject({
    host: s3.settings.OUTLAY_UPLOAD_BUCKET_URL,
    acl: 'private',
    access_key: s3.settings.OUTLAY_UPLOAD_BUCKET_ACCESS_KEY_ID,
    signature: body.fields['x-amz-signature'],
  })
  const names = ['x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-signature']
  expect(Object.keys(body.fields)).toEqual(names)
  const policy = Buffer.from(body.policy, 'base64').toString()
  expect(JSON.parse(policy)).toEqual({
    expiration: body.expiration,
    conditions: [
      { bucket: 'receipts' },
      { acl: 'private' },
      ['starts-with', '$key', body.key],
      { success_action_status: '201' },
      ['starts-with', '$content-type', ''],
      ['content-length-range', 0, limits.OUTLAY_UPLOAD_MAX_BYTES],
      ...names.slice(0, 3).map((name) => ({ [name]: body.fields[name] })),
    ],
  })
  expect(body.key).toMatch(new RegExp(`^${instance.member.user_id}/`))
  expect(JSON.stringify(body) + policy).not.toContain(s3.settings.OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY)
})

test('a file in the bucket is read before it is attached, for the one who uploaded it', async () => {
  const location = await uploadFile(instance.member, jpg)
  const askedBy = ({ api }: Person) =>
    api.get(`/organizations/${instance.organization_id}/readings?files=${encodeURIComponent(location)}`).then(({ body }) => body.readings)
  expect(await askedBy(instance.manager)).toMatchObject([{ file: location, state: 'unknown' }])
  expect(s3.reads).toEqual([])
  expect(await askedBy(instance.member)).toMatchObject([{ file: location, state: 'off' }])
  expect(s3.reads).toHaveLength(1)
})

test('a file goes to the bucket, is attached by its Location there, and comes back from the server with its pictures', async () => {
  const name = `Almoço & café (50%) 'ação' #1?.jpg`
  const location = await uploadFile(instance.member, { ...jpg, name })
  expect(location).toContain(`${s3.settings.OUTLAY_UPLOAD_BUCKET_URL}/`)
  expect(s3.reads).toEqual([])
  const { status, body } = await claim(instance.member, location)
  expect(status).toBe(201)
  expect(body).toMatchObject({ file_name: name, content_type: 'image/jpeg', bytes: jpg.bytes.length })
  const own = await fetch(body.url)
  expect(new URL(body.url).origin).toBe(instance.url)
  expect(Buffer.from(await own.arrayBuffer()).equals(jpg.bytes)).toBe(true)
  for (const { url } of body.file) expect((await fetch(url)).status).toBe(200)
  expect((await stored()).incoming).toEqual([])
})

test('a Location can be claimed again without being fetched again, for as long as any upload', async () => {
  const location = await uploadFile(instance.member, pdfFile())
  expect((await claim(instance.member, location)).status).toBe(201)
  s3.objects.clear()
  expect((await claim(instance.member, location)).status).toBe(201)
  expect(s3.reads).toHaveLength(1)
  offsetMs = 3_601_000
  expect(await claim(instance.member, location)).toMatchObject(invalid)
  expect(s3.reads).toHaveLength(1)
})

test('an avatar, a changed attachment and the operations of a batch take Locations of the bucket too', async () => {
  const { api } = instance.member
  const { id } = await recordExpense(instance, instance.member)
  const path = `/expenses/${id}/attachments`
  const { body: attachment } = await api.send('POST', path, { file: await uploadFile(instance.member, pdfFile()) })
  const changed = await api.send('PATCH', `${path}/${attachment.id}`, { file: await uploadFile(instance.member, jpg) })
  expect(changed).toMatchObject({ status: 200, body: { file_name: jpg.name, content_type: 'image/jpeg' } })
  const avatar = await api.send('PATCH', '/preferences', { avatar: { file: await uploadFile(instance.member, jpg) } })
  expect(avatar.status).toBe(200)
  expect(avatar.body.avatar).not.toEqual([])
  const locations = [await uploadFile(instance.member, jpg), `${s3.origin}/receipts/none`]
  const operations = locations.map((file) => ({ method: 'POST', path, body: { file } }))
  const { body } = await api.send('POST', '/batch', { operations })
  expect(body.results).toMatchObject([{ status: 201 }, invalid])
})

test('a write with an Idempotency-Key fetches once and gets the same response again', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const file = await uploadFile(instance.member, jpg)
  const send = () => instance.member.api.send('POST', `/expenses/${id}/attachments`, { file }, { 'idempotency-key': `bucket-${id}` })
  const first = await send()
  s3.objects.clear()
  expect(await send()).toMatchObject({ status: 201, body: { id: first.body.id } })
  expect(s3.reads).toHaveLength(1)
})

describe('the bucket refuses', () => {
  const set = (name: string, value: string) => (fields: Fields) =>
    fields.map(([field, old]): [string, string] => [field, field === name ? value : old])

  test.each<[string, (fields: Fields) => Fields, string]>([
    ['a forged signature', set('x-amz-signature', '0'.repeat(64)), 'SignatureDoesNotMatch'],
    ['a policy that was changed', set('policy', btoa('{"expiration":"2999-01-01T00:00:00Z","conditions":[]}')), 'SignatureDoesNotMatch'],
    ['a prefix of someone else', set('key', '1/receipt.jpg'), 'AccessDenied'],
    ['another acl', set('acl', 'public-read'), 'AccessDenied'],
    ['another status', set('success_action_status', '200'), 'AccessDenied'],
    ['another date', set('x-amz-date', '20200101T000000Z'), 'SignatureDoesNotMatch'],
    ['a form without a type', (fields) => fields.filter(([name]) => name !== 'content-type'), 'AccessDenied'],
    ['a field nobody asked for', (fields) => [...fields, ['x-amz-meta-more', '1']], 'AccessDenied'],
  ])('%s', async (_name, change, code) => {
    expect(await post(await getCredentials(instance.member), jpg, change)).toMatchObject({ status: 403, code })
    expect(s3.objects.size).toBe(0)
  })

  test('a file over the limit', async () => {
    const large = { ...jpg, bytes: Buffer.concat([jpg.bytes, Buffer.alloc(limits.OUTLAY_UPLOAD_MAX_BYTES)]) }
    expect(await post(await getCredentials(instance.member), large)).toMatchObject({ status: 400, code: 'EntityTooLarge' })
  })

  test('expired credentials', async () => {
    const credentials = await getCredentials(instance.member)
    offsetMs = 3_601_000
    const { status, code, text } = await post(credentials, jpg)
    expect({ status, code }).toEqual({ status: 403, code: 'AccessDenied' })
    expect(text).toContain('expired')
  })
})

describe('what cannot be claimed keeps nothing', () => {
  async function expectInvalid(file: string, person = instance.member): Promise<void> {
    const before = await stored()
    expect(await claim(person, file)).toMatchObject(invalid)
    expect(await stored()).toEqual(before)
  }

  test.each<[string, (file: SampleFile) => SampleFile]>([
    ['bytes of another type than declared', (file) => ({ ...file, type: 'application/pdf' })],
    ['a type that is not allowed', (file) => ({ ...file, type: 'text/html' })],
    ['a broken image', (file) => ({ ...file, bytes: file.bytes.subarray(0, 400) })],
    ['a name with a folder', (file) => ({ ...file, name: 'folder/receipt.jpg' })],
  ])('%s', async (_name, change) => {
    await expectInvalid(await uploadFile(instance.member, change(jpg)))
  })

  test('an object that became larger than any upload may be', async () => {
    const location = await uploadFile(instance.member, jpg)
    for (const [key, object] of s3.objects)
      s3.objects.set(key, { ...object, bytes: Buffer.concat([jpg.bytes, Buffer.alloc(limits.OUTLAY_UPLOAD_MAX_BYTES)]) })
    await expectInvalid(location)
  })

  test('an object that is not there', async () => {
    const { key, host } = await getCredentials(instance.member)
    await expectInvalid(`${host}/${key}receipt.jpg`)
    expect(s3.reads).toEqual([`${key}receipt.jpg`])
  })

  test('uploads by someone else, and those without credentials: the bucket is not asked', async () => {
    const location = await uploadFile(instance.analyst, jpg)
    await expectInvalid(location)
    const { key, host } = await getCredentials(instance.member)
    const far = key.replace(/\/\d+-/, '/99999999999-')
    for (const name of [`${far}x.jpg`, `${instance.member.user_id}/x.jpg`, `${key}..%2F..%2Fx.jpg`, `${key}`, `${key}x.jpg?versionId=1`])
      await expectInvalid(`${host}/${name}`)
    expect(s3.reads).toEqual([])
    expect((await claim(instance.analyst, location)).status).toBe(201)
  })

  test('a Location whose credentials have expired', async () => {
    const location = await uploadFile(instance.member, jpg)
    offsetMs = 3_601_000
    await expectInvalid(location)
    expect(s3.reads).toEqual([])
  })

  test('a Location of any other host: no request is made', async () => {
    const other = await startS3(() => clock.now())
    try {
      const { pathname } = new URL(await uploadFile(instance.member, jpg))
      await expectInvalid(`${other.origin}${pathname}`)
      await expectInvalid(`${s3.origin}@${new URL(other.origin).host}${pathname}`)
      await expectInvalid(`${s3.origin}/other${pathname}`)
      expect([...s3.reads, ...other.reads]).toEqual([])
    } finally {
      await other.close()
    }
  })
})

test('while the bucket is away, a claim is 503 and changes nothing; afterwards it goes through', async () => {
  const away = await startS3(() => clock.now())
  const own = await startInstance({ clock, settings: away.settings })
  try {
    const location = await uploadFile(own.member, jpg)
    const expense = await recordExpense(own, own.member)
    const send = () => own.member.api.send('POST', `/expenses/${expense.id}/attachments`, { file: location })
    const before = await stored(own)
    const { objects } = away
    const kept = [...objects]
    await away.close()
    const { status, body } = await send()
    expect(status).toBe(503)
    expect(body.errors.message).toContain('does not respond')
    expect(JSON.stringify(body)).not.toContain(away.origin)
    expect(await stored(own)).toEqual(before)
    const back = await startS3(() => clock.now(), Number(new URL(away.origin).port))
    for (const [key, object] of kept) back.objects.set(key, object)
    expect((await send()).status).toBe(201)
    await back.close()
  } finally {
    await own.remove()
  }
})

test('a secret that the bucket does not know makes claims 503; the log says why, and not the secret', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const secret = 'another-secret'
  const settings = { ...s3.settings, OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY: secret }
  const own = await startInstance({ clock, settings, log })
  try {
    const { key, host } = await getCredentials(own.member)
    expect((await claim(own.member, `${host}/${key}x.jpg`, own)).status).toBe(503)
    expect(lines.join()).toContain('The bucket answers 403 SignatureDoesNotMatch')
    expect(lines.join()).not.toContain(secret)
  } finally {
    await own.remove()
  }
})

test('without a bucket nothing is different', async () => {
  const own = await startInstance()
  try {
    const { body } = await own.member.api.get('/uploads/new')
    expect(Object.keys(body)).not.toContain('fields')
    expect(body.host).toBe(`${own.url}/uploads`)
    const location = await uploadFile(instance.member, jpg)
    expect(await claim(own.member, location, own)).toMatchObject(invalid)
    expect((await claim(own.member, await uploadFile(own.member, jpg), own)).status).toBe(201)
    expect(s3.reads).toEqual([])
  } finally {
    await own.remove()
  }
})
