import { SaxesParser } from 'saxes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type UploadCheck, checkUpload, issueCredentials, toErrorXml, toPostResponseXml } from '#main/files/upload-policy'

const secret = 'a'.repeat(64)
const now = new Date('2026-03-01T12:00:00Z')
const expiration = new Date('2026-03-01T13:00:00Z')
const credentials = issueCredentials({
  secret,
  accessKey: 'AK1',
  keyPrefix: 'uploads/7/abc/',
  host: 'https://example.test/uploads',
  expiration,
  maxBytes: 1000,
})

type Field = readonly [string, string]

const form: readonly Field[] = [
  ['key', 'uploads/7/abc/recibo.pdf'],
  ['acl', 'private'],
  ['AccessKeyId', credentials.access_key],
  ['policy', credentials.policy],
  ['signature', credentials.signature],
  ['success_action_status', '201'],
  ['content-type', 'application/pdf'],
  ['file', 'recibo.pdf'],
]

const check = (fields: readonly Field[], at = now): UploadCheck => checkUpload({ secret, fields, now: at })
const checkWith = (name: string, value: string): UploadCheck => check(form.map((field) => (field[0] === name ? [name, value] : field)))
const refused = (status: number, code: string): object => ({ kind: 'refused', status, code })

test('credentials have exactly the fields of the contract', () => {
  expect(credentials).toEqual({
    signature: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    access_key: 'AK1',
    policy: expect.any(String),
    host: 'https://example.test/uploads',
    acl: 'private',
    key: 'uploads/7/abc/',
    expiration: '2026-03-01T13:00:00Z',
  })
  expect(JSON.parse(atob(credentials.policy))).toMatchObject({ expiration: '2026-03-01T13:00:00Z', conditions: expect.any(Array) })
})

test('a form filled in as the contract says is accepted', () => {
  expect(check(form)).toEqual({
    kind: 'accepted',
    key: 'uploads/7/abc/recibo.pdf',
    content_type: 'application/pdf',
    accessKey: 'AK1',
    maxBytes: 1000,
  })
})

test('field names are compared without case, and x-ignore- fields are ignored', () => {
  const shouted = form.map(([name, value]): Field => [name.toUpperCase(), value])
  expect(check([['x-ignore-me', '1'], ...shouted])).toMatchObject({ kind: 'accepted' })
})

test('${filename} in the key becomes the name of the file, without its folders', () => {
  const fields = form.map(([name, value]): Field =>
    name === 'key' ? [name, 'uploads/7/abc/${filename}'] : name === 'file' ? [name, 'C:\\scans\\nota fiscal.pdf'] : [name, value],
  )
  expect(check(fields)).toMatchObject({ kind: 'accepted', key: 'uploads/7/abc/nota fiscal.pdf' })
})

test('credentials stop being valid at their expiration', () => {
  expect(check(form, new Date('2026-03-01T12:59:59Z'))).toMatchObject({ kind: 'accepted' })
  expect(check(form, expiration)).toMatchObject(refused(403, 'AccessDenied'))
})

test.each([
  ['a forged signature', 'signature', 'A'.repeat(43) + '='],
  ['an empty signature', 'signature', ''],
  ["someone else's access key", 'AccessKeyId', 'AK2'],
  ['a policy rewritten to last longer', 'policy', btoa(atob(credentials.policy).replace('2026', '2099'))],
])('%s does not match', (_, name, value) => {
  expect(checkWith(name, value)).toMatchObject(refused(403, 'SignatureDoesNotMatch'))
})

test.each([
  ['another prefix', 'key', 'uploads/8/abc/recibo.pdf'],
  ['a way up', 'key', 'uploads/7/abc/../../8/recibo.pdf'],
  ['a way up and nothing else', 'key', 'uploads/7/abc/..'],
  ['a folder below', 'key', 'uploads/7/abc/x/recibo.pdf'],
  ['no file name', 'key', 'uploads/7/abc/'],
  ['a control character', 'key', 'uploads/7/abc/re\u0000cibo.pdf'],
  ['a key of more than 1024 bytes', 'key', `uploads/7/abc/${'é'.repeat(600)}`],
  ['another acl', 'acl', 'public-read'],
  ['another status', 'success_action_status', '200'],
  ['HTML', 'content-type', 'text/html'],
  ['SVG', 'content-type', 'image/svg+xml'],
])('%s is denied', (_, name, value) => {
  expect(checkWith(name, value)).toMatchObject(refused(403, 'AccessDenied'))
})

test('a field that the policy does not know is denied', () => {
  expect(check([...form.slice(0, -1), ['redirect', 'https://evil.test'], ['file', 'x']])).toMatchObject(refused(403, 'AccessDenied'))
})

test.each(form.map(([name]) => name))('a form without %s is refused', (missing) => {
  expect(check(form.filter(([name]) => name !== missing))).toMatchObject(refused(400, 'InvalidArgument'))
})

test('a field sent twice is refused', () => {
  expect(check([['key', 'uploads/7/abc/other.pdf'], ...form])).toMatchObject(refused(400, 'InvalidArgument'))
})

test('the file must be last, and the others in their order', () => {
  const malformed = refused(400, 'MalformedPOSTRequest')
  expect(check([...form, ['x-ignore-me', '1']])).toMatchObject(malformed)
  fc.assert(
    fc.property(fc.shuffledSubarray([...form], { minLength: form.length }), (fields) => {
      fc.pre(fields.some((field, index) => field !== form[index]))
      expect(check(fields)).toMatchObject(malformed)
    }),
  )
})

test('no form of strangers is accepted, and none makes the check throw', () => {
  const names = fc.oneof(fc.constantFrom(...form.map(([name]) => name)), fc.string())
  fc.assert(fc.property(fc.array(fc.tuple(names, fc.string())), (fields) => check(fields).kind === 'refused'))
})

test('S3 responses are well-formed XML whatever the name of the file', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const parse = (xml: string): unknown => new SaxesParser().write(xml).close()
      parse(toPostResponseXml({ location: text, bucket: 'uploads', key: text, etag: '"x"' }))
      parse(toErrorXml({ code: 'AccessDenied', message: text }))
    }),
  )
  expect(toErrorXml({ code: 'AccessDenied', message: 'a<b & "c"' })).toContain('<Message>a&lt;b &amp; &quot;c&quot;</Message>')
  expect(toPostResponseXml({ location: 'https://x/y', bucket: 'uploads', key: 'k', etag: '"e"' })).toContain(
    '<PostResponse><Location>https://x/y</Location><Bucket>uploads</Bucket><Key>k</Key><ETag>&quot;e&quot;</ETag></PostResponse>',
  )
})
