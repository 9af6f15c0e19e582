import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '#main/clock'
import { picture } from '#test/files/samples'
import { type Instance, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { type SampleFile, jpgFile, pdfFile, xmlFile } from '#test/support/sample-files'
import { type Credentials, elementOf, fieldsFor, getCredentials, toForm, uploadFile } from '#test/support/upload'

let offsetMs = 0
const clock: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + offsetMs) }

const instance = await instanceOfFile({ clock, settings: { OUTLAY_UPLOAD_MAX_BYTES: 200_000 } })
const jpg = await jpgFile({ width: 300, height: 200 })

async function post(credentials: Credentials, form: FormData) {
  const response = await fetch(credentials.host, { method: 'POST', body: form })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, code: elementOf(text, 'Code') }
}

async function send(file: SampleFile, change: (fields: Array<[string, string]>) => Array<[string, string]> = (fields) => fields) {
  const credentials = await getCredentials(instance.member)
  return { ...(await post(credentials, toForm(change(fieldsFor(credentials, file)), file))), credentials }
}

/** How many uploads are recorded, and which files lie in the folder. */
async function stored() {
  const uploads = await instance.app.store.reader.db.selectFrom('uploads').select('id').execute()
  const filesIn = (name: string) => readdir(join(instance.folder, name), { recursive: true }).catch(() => [])
  return { uploads: uploads.length, incoming: await filesIn('incoming'), blobs: (await filesIn('blobs')).length }
}

async function claim(person: Instance['member'], file: string) {
  const { body } = await instance.member.api.send('POST', '/expenses', {
    payer: { id: instance.organization_id },
    amount: 10,
    occurred_at: '2026-01-01',
  })
  return person.api.send('POST', `/expenses/${body.id}/attachments`, { file })
}

test('credentials say where, under which prefix and until when a file may be sent', async () => {
  const before = clock.now().getTime()
  const { status, body, headers } = await instance.member.api.get('/uploads/new')
  expect(status).toBe(200)
  expect(body).toMatchObject({ acl: 'private', host: `${instance.url}/uploads` })
  expect(Date.parse(body.expiration) - before).toBeGreaterThan(3_590_000)
  expect(body.expiration).toMatch(/Z$/)
  expect((await getCredentials(instance.member)).key).not.toBe(body.key)
  expect(headers.get('cache-control')).toBe('no-store')
})

test('credentials are for those who are signed in', async () => {
  const response = await fetch(`${instance.url}/api/v1/uploads/new`, { headers: { 'user-agent': 'tests' } })
  expect(response.status).toBe(401)
})

test('a form in the given order returns the Location, Bucket, Key and ETag of the file', async () => {
  const { status, headers, text, credentials } = await send(jpg)
  expect(status).toBe(201)
  expect(headers.get('content-type')).toContain('application/xml')
  expect(text).toContain('<PostResponse>')
  expect(elementOf(text, 'Location')).toBe(`${instance.url}/uploads/${credentials.key}receipt.jpg`)
  expect(elementOf(text, 'Bucket')).toBe('uploads')
  expect(elementOf(text, 'Key')).toBe(`${credentials.key}receipt.jpg`)
  expect(elementOf(text, 'ETag')).toBe(`"${createHash('md5').update(jpg.bytes).digest('hex')}"`)
  expect((await stored()).incoming).toEqual([])
})

test('a name with spaces, accents and signs comes back as it was given', async () => {
  const name = `Almoço & café (50%) 'ação' #1?.jpg`
  const location = await uploadFile(instance.member, { ...jpg, name })
  const { status, body } = await claim(instance.member, location)
  expect(status).toBe(201)
  expect(body.file_name).toBe(name)
  const file = await fetch(body.url)
  expect(file.status).toBe(200)
  expect(file.headers.get('content-disposition')).toContain("filename*=UTF-8''Almo%C3%A7o")
})

test('${filename} in the key becomes the name of the file', async () => {
  const { status, text } = await send(jpg, (fields) =>
    fields.map(([name, value]) => [name, name === 'key' ? value.replace('receipt.jpg', '${filename}') : value]),
  )
  expect(status).toBe(201)
  expect(elementOf(text, 'Location')).toMatch(/receipt\.jpg$/)
})

test('the same content sent twice is stored once', async () => {
  await send(jpg)
  const { blobs } = await stored()
  expect((await send(jpg)).status).toBe(201)
  expect((await stored()).blobs).toBe(blobs)
})

test('the same key can not be used twice', async () => {
  const credentials = await getCredentials(instance.member)
  const form = () => toForm(fieldsFor(credentials, jpg), jpg)
  expect((await post(credentials, form())).status).toBe(201)
  expect(await post(credentials, form())).toMatchObject({ status: 403, code: 'AccessDenied' })
  expect((await post(credentials, toForm(fieldsFor(credentials, { ...jpg, name: 'other.jpg' }), jpg))).status).toBe(201)
})

describe('a rejected form stores nothing', () => {
  type Fields = Array<[string, string]>
  const set =
    (name: string, value: string) =>
    (fields: Fields): Fields =>
      fields.map(([field, old]) => [field, field === name ? value : old])
  const moved =
    (name: string) =>
    (fields: Fields): Fields => [...fields.filter(([field]) => field !== name), ...fields.filter(([field]) => field === name)]

  test.each<[string, (fields: Fields) => Fields, number, string]>([
    ['fields in another order', moved('key'), 400, 'MalformedPOSTRequest'],
    ['a missing field', (fields) => fields.filter(([name]) => name !== 'acl'), 400, 'InvalidArgument'],
    ['a forged signature', set('signature', Buffer.alloc(32).toString('base64')), 403, 'SignatureDoesNotMatch'],
    [
      'the access key of someone else',
      (fields) => set('AccessKeyId', `user-${instance.admin.user_id}`)(fields),
      403,
      'SignatureDoesNotMatch',
    ],
    [
      'a policy that was changed',
      set('policy', Buffer.from('{"expiration":"2999-01-01T00:00:00Z","conditions":[]}').toString('base64')),
      403,
      'SignatureDoesNotMatch',
    ],
    ['a key outside the prefix', set('key', 'elsewhere/receipt.jpg'), 403, 'AccessDenied'],
    ['a key that climbs out', (fields) => set('key', `${fields[0]?.[1] ?? ''}/../../x.jpg`)(fields), 403, 'AccessDenied'],
    ['another acl', set('acl', 'public-read'), 403, 'AccessDenied'],
    ['a content type that is not allowed', set('content-type', 'text/html'), 403, 'AccessDenied'],
    ['a field nobody asked for', (fields) => [['x-evil', '1'], ...fields], 403, 'AccessDenied'],
  ])('%s', async (_name, change, status, code) => {
    const before = await stored()
    expect(await send(jpg, change)).toMatchObject({ status, code })
    expect(await stored()).toEqual(before)
  })

  test.each<[string, () => SampleFile | Promise<SampleFile>, number, string]>([
    ['bytes of another type than declared', () => ({ ...jpg, type: 'application/pdf' }), 403, 'AccessDenied'],
    ['HTML declared as XML', () => ({ ...xmlFile(), bytes: Buffer.from('<!doctype html><script>1</script>') }), 403, 'AccessDenied'],
    ['XML with a document type', () => xmlFile({ prolog: '<!DOCTYPE x [<!ENTITY a "b">]>' }), 400, 'InvalidArgument'],
    ['a broken image', () => ({ ...jpg, bytes: jpg.bytes.subarray(0, 400) }), 400, 'InvalidArgument'],
    ['an empty file', () => ({ ...jpg, bytes: new Uint8Array() }), 403, 'AccessDenied'],
    [
      'a file over the limit',
      async () => ({ ...jpg, bytes: await picture(900, 900).jpeg({ quality: 100 }).toBuffer() }),
      400,
      'EntityTooLarge',
    ],
  ])('%s', async (_name, make, status, code) => {
    const before = await stored()
    expect(await send(await make())).toMatchObject({ status, code })
    expect(await stored()).toEqual(before)
  })

  test('a part after the file', async () => {
    const before = await stored()
    const credentials = await getCredentials(instance.member)
    const form = toForm(fieldsFor(credentials, jpg), jpg)
    form.append('late', '1')
    expect(await post(credentials, form)).toMatchObject({ status: 400, code: 'MalformedPOSTRequest' })
    expect(await stored()).toEqual(before)
  })

  test('two files, no file, a file in the wrong field, and a body that is not a form', async () => {
    const before = await stored()
    const credentials = await getCredentials(instance.member)
    const two = toForm(fieldsFor(credentials, jpg), jpg)
    two.append('file', new File(['x'], 'x.jpg'))
    expect(await post(credentials, two)).toMatchObject({ status: 400, code: 'MalformedPOSTRequest' })
    const none = new FormData()
    for (const [name, value] of fieldsFor(credentials, jpg)) none.append(name, value)
    expect(await post(credentials, none)).toMatchObject({ status: 400, code: 'InvalidArgument' })
    const misplaced = new FormData()
    misplaced.append('key', new File(['x'], 'x.jpg'))
    expect((await post(credentials, misplaced)).status).toBe(400)
    const json = await fetch(credentials.host, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    expect(json.status).toBe(400)
    expect(elementOf(await json.text(), 'Code')).toBe('MalformedPOSTRequest')
    const broken = await fetch(credentials.host, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nbroken',
    })
    expect(broken.status).toBe(400)
    expect(await stored()).toEqual(before)
  })

  test('expired credentials', async () => {
    const before = await stored()
    const credentials = await getCredentials(instance.member)
    offsetMs = 3_601_000
    const { status, code, text } = await post(credentials, toForm(fieldsFor(credentials, jpg), jpg))
    offsetMs = 0
    expect({ status, code }).toEqual({ status: 403, code: 'AccessDenied' })
    expect(text).toContain('expired')
    expect(await stored()).toEqual(before)
  })

  test('a connection that breaks off in the middle of the file', async () => {
    const before = await stored()
    const credentials = await getCredentials(instance.member)
    const whole = new Request('http://unused', { method: 'POST', body: toForm(fieldsFor(credentials, jpg), jpg) })
    const body = Buffer.from(await whole.arrayBuffer())
    const { hostname, port, pathname } = new URL(credentials.host)
    const headers = { 'content-type': whole.headers.get('content-type') ?? '', 'content-length': body.length }
    const sending = request({ method: 'POST', hostname, port, path: pathname, headers })
    sending.on('error', () => undefined)
    sending.write(body.subarray(0, body.length - 2000))
    await expect.poll(async () => (await stored()).incoming.length).toBe(1)
    sending.destroy()
    await expect.poll(async () => (await stored()).incoming.length).toBe(0)
    expect(await stored()).toEqual(before)
  })
})

test('a page of another origin can not upload; a page of ours can', async () => {
  const credentials = await getCredentials(instance.member)
  const sendFrom = (origin: string) =>
    fetch(credentials.host, { method: 'POST', headers: { origin }, body: toForm(fieldsFor(credentials, pdfFile()), pdfFile()) })
  expect((await sendFrom('https://evil.example')).status).toBe(403)
  expect((await sendFrom(instance.url)).status).toBe(201)
})

describe('a Location', () => {
  test('of someone else is invalid', async () => {
    const location = await uploadFile(instance.analyst, jpg)
    const { status, body } = await claim(instance.member, location)
    expect({ status, body }).toEqual({ status: 422, body: { errors: { file: ['is invalid'] } } })
    expect((await claim(instance.analyst, location)).status).toBe(201)
  })

  test('that has expired is invalid', async () => {
    const location = await uploadFile(instance.member, jpg)
    offsetMs = 3_601_000
    const { status, body } = await claim(instance.member, location)
    offsetMs = 0
    expect({ status, body }).toEqual({ status: 422, body: { errors: { file: ['is invalid'] } } })
  })

  test.each(['https://example.org/x.jpg', 'receipt.jpg', '/uploads/1/x', 'javascript:alert(1)', '%%%'])('%s is invalid', async (file) => {
    expect(await claim(instance.member, file)).toMatchObject({ status: 422, body: { errors: { file: ['is invalid'] } } })
  })

  test('that is blank is blank', async () => {
    expect(await claim(instance.member, '  ')).toMatchObject({ status: 422, body: { errors: { file: ["can't be blank"] } } })
  })
})

test('credentials end when the operator says', async () => {
  let passedMs = 0
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + passedMs) }
  const brief = await startInstance({ settings: { OUTLAY_UPLOAD_TTL_S: 60 }, clock })
  try {
    const credentials = await getCredentials(brief.member)
    const location = await uploadFile(brief.member, jpg)
    passedMs = 61_000
    expect(await post(credentials, toForm(fieldsFor(credentials, jpg), jpg))).toMatchObject({ status: 403, code: 'AccessDenied' })
    const expense = await brief.member.api.send('POST', '/expenses', {
      payer: { id: brief.organization_id },
      amount: 1,
      occurred_at: '2026-01-01',
    })
    expect((await brief.member.api.send('POST', `/expenses/${expense.body.id}/attachments`, { file: location })).status).toBe(422)
  } finally {
    await brief.remove()
  }
})
