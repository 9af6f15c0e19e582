import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBucket } from '#main/files/bucket'

const key = { access_key_id: 'id', secret_access_key: 'secret', region: 'us-east-1' }
const bucket = createBucket({ ...key, url: 'https://s3.example.org:9000/receipts/' })
const keys = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 4 })

test('the key of a Location is the key that was sent, however the bucket writes its address', () => {
  fc.assert(
    fc.property(keys, (parts) => {
      fc.pre(parts.every((part) => !/^\.{1,2}$/.test(part)))
      const name = parts.join('/')
      const written = [parts.map(encodeURIComponent).join('/'), encodeURIComponent(name)]
      for (const path of written)
        for (const start of ['https://s3.example.org:9000/receipts/', 'https://receipts.s3.example.org:9000/'])
          expect(bucket.keyOf(start + path)).toBe(name)
    }),
  )
})

test.each([
  ...['https://s3.example.org/receipts/a', 'http://s3.example.org:9000/receipts/a', 'https://s3.example.org:9000/receiptsa'],
  ...['https://s3.example.org:9000/other/a', 'https://s3.example.org:9000/receipts/../other/a', 'https://evil.example/receipts/a'],
  ...['https://s3.example.org:9000@evil.example/receipts/a', 'https://receipts.s3.example.org.evil.example/a', 'a', ''],
  ...['https://s3.example.org:9000/receipts/a?versionId=1', 'https://s3.example.org:9000/receipts/%zz'],
])('%s is no Location of the bucket', (location) => {
  expect(bucket.keyOf(location)).toBeUndefined()
})
