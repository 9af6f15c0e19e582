import { expect, test } from 'vitest'
import { checkFile } from '../../../src-renderer/features/capture/file-check'
import { formatBytes } from '../../../src-renderer/ui/values/format-bytes'

const check = (name: string, type: string, size = 1) => checkFile(new File([new Uint8Array(size)], name, { type }), 10)

test('a type the browser does not know is taken from the extension', () => {
  const outcome = check('SCAN.TIF', '')
  expect(outcome.kind === 'ok' && outcome.file.type).toBe('image/tiff')
})

test('files that the server can convert are recognized, whatever the browser calls them', () => {
  expect(check('IMG_1.HEIC', '').kind).toBe('convertible')
  expect(check('IMG_1.HEIC', 'image/heic').kind).toBe('convertible')
  expect(check('receipt.webp', 'image/webp').kind).toBe('convertible')
  expect(check('receipt.avif', '').kind).toBe('convertible')
  expect(check('Booking.eml', 'message/rfc822').kind).toBe('convertible')
  expect(check('IMG_1.HEIC', 'text/html').kind).toBe('type')
})

test('a file that cannot be uploaded is rejected with the reason', () => {
  expect(check('a.html', 'text/html').kind).toBe('type')
  expect(check('a.pdf', 'text/html').kind).toBe('type')
  expect(check('a', '').kind).toBe('type')
  expect(check('a.pdf', 'application/pdf', 0).kind).toBe('empty')
  expect(check('a.pdf', 'application/pdf', 11).kind).toBe('size')
  expect(check('a.pdf', 'application/pdf', 10).kind).toBe('ok')
})

test('sizes read as in a file manager', () => {
  expect([formatBytes(10, 'en'), formatBytes(25 * 1024 * 1024, 'en'), formatBytes(3.4 * 1024 * 1024, 'pt')]).toEqual([
    '1 kB',
    '25 MB',
    '3,4 MB',
  ])
})
