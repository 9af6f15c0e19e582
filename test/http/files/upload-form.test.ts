import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FormFields, readUploadForm } from '#main/http/files/upload-form'

const boundary = 'outlay-boundary'
const type = `multipart/form-data; boundary=${boundary}`

function part(name: string, content: Uint8Array | string, fileName?: string): Buffer {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
}

function formOf(...parts: Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

/** The bytes in pieces of at most this size. */
function streamOf(bytes: Buffer, size: number): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
  return Readable.from(pieces, { objectMode: false })
}

async function readAll(_fields: FormFields, bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const content = fc.uint8Array({ maxLength: 3000 })

test('a form comes out as it went in, in whatever pieces it travels', async () => {
  await fc.assert(
    fc.asyncProperty(content, fc.integer({ min: 1, max: 500 }), async (bytes, size) => {
      const form = formOf(part('key', 'a/b.jpg'), part('policy', 'x'.repeat(900)), part('file', bytes, 'b.jpg'))
      const { is_whole, fields, taken } = await readUploadForm(streamOf(form, size), type, readAll)
      expect(is_whole).toBe(true)
      expect(fields).toEqual([
        ['key', 'a/b.jpg'],
        ['policy', 'x'.repeat(900)],
        ['file', 'b.jpg'],
      ])
      expect(taken?.equals(bytes)).toBe(true)
    }),
    { numRuns: 100 },
  )
})

test('a form that is cut anywhere before its end is not whole, and nothing waits for the rest', async () => {
  const form = formOf(part('key', 'a/b.jpg'), part('file', Buffer.alloc(2000, 7), 'b.jpg'))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: form.length - 5 }), fc.integer({ min: 1, max: 500 }), async (length, size) => {
      expect((await readUploadForm(streamOf(form.subarray(0, length), size), type, readAll)).is_whole).toBe(false)
    }),
    { numRuns: 100 },
  )
})

test('an unread file does not hold up the form', async () => {
  const form = formOf(part('key', 'a'), part('file', Buffer.alloc(3_000_000, 7), 'b.jpg'))
  const { is_whole, taken } = await readUploadForm(streamOf(form, 65_536), type, () => Promise.resolve('refused'))
  expect({ is_whole, taken }).toEqual({ is_whole: true, taken: 'refused' })
})

test('a file that is read in part does not hold up the form', async () => {
  const form = formOf(part('file', Buffer.alloc(3_000_000, 7), 'b.jpg'))
  const readSome = async (_fields: FormFields, bytes: AsyncIterable<Uint8Array>) => {
    for await (const chunk of bytes) return chunk.length
    return 0
  }
  expect((await readUploadForm(streamOf(form, 65_536), type, readSome)).taken).toBeGreaterThan(0)
})

test('what goes wrong with the file is thrown once the form has come', async () => {
  const form = formOf(part('file', Buffer.alloc(1_000_000, 7), 'b.jpg'))
  await expect(readUploadForm(streamOf(form, 65_536), type, () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
})

test.each<[string, Buffer[]]>([
  ['a field after the file', [part('file', 'x', 'b.jpg'), part('late', '1')]],
  ['a second file', [part('file', 'x', 'b.jpg'), part('file', 'y', 'c.jpg')]],
  ['more fields than any upload has', Array.from({ length: 30 }, (_, index) => part(`x-ignore-${index}`, '1'))],
  ['a field longer than any policy', [part('policy', 'x'.repeat(30_000)), part('file', 'x', 'b.jpg')]],
])('%s makes a form that is not taken as whole', async (_name, parts) => {
  expect((await readUploadForm(streamOf(formOf(...parts), 700), type, readAll)).is_whole).toBe(false)
})

test('a body that is not a form is not whole', async () => {
  for (const other of ['application/json', 'multipart/form-data', '', 'application/x-www-form-urlencoded'])
    expect((await readUploadForm(streamOf(Buffer.from('{}'), 10), other, readAll)).is_whole, other).toBe(false)
})
