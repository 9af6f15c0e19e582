import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toContentDisposition } from '#main/files/content-disposition'
import type { SignedPathCheck } from '#main/files/signed-url'
import { signPath, verifySignedPath } from '#main/files/signed-url'

describe('a signed path', () => {
  const secret = 'b'.repeat(64)
  const expires = new Date('2026-03-01T13:00:00Z')
  const before = new Date('2026-03-01T12:59:59Z')

  function verify(url: string, now: Date, by = secret): SignedPathCheck {
    const { pathname, searchParams } = new URL(url, 'https://example.test')
    return verifySignedPath({
      secret: by,
      path: pathname,
      expires: searchParams.get('expires') ?? undefined,
      signature: searchParams.get('signature') ?? undefined,
      now,
    })
  }

  test('is valid until it expires', () => {
    const url = signPath({ secret, path: '/files/7/recibo.pdf', expires })
    expect(url).toMatch(/^\/files\/7\/recibo\.pdf\?expires=1772370000&signature=[0-9a-f]{64}$/)
    expect(verify(url, before)).toEqual({ kind: 'valid' })
    expect(verify(url, expires)).toEqual({ kind: 'expired' })
  })

  test('is forged once its path, expiry, signature or secret is another', () => {
    const url = signPath({ secret, path: '/files/7/recibo.pdf', expires })
    const forged = { kind: 'forged' }
    expect(verify(url.replace('/7/', '/8/'), before)).toEqual(forged)
    expect(verify(url.replace('1772370000', '1972370000'), before)).toEqual(forged)
    expect(verify(url.slice(0, -1), before)).toEqual(forged)
    expect(verify(`${url.slice(0, -64)}${'0'.repeat(64)}`, before)).toEqual(forged)
    expect(verify(url, before, 'c'.repeat(64))).toEqual(forged)
    expect(verify('/files/7/recibo.pdf', before)).toEqual(forged)
  })
})

describe('the content disposition', () => {
  const of = (file_name: string, content_type = 'application/pdf'): string => toContentDisposition({ file_name, content_type })

  test('gives the name twice, plain and in UTF-8', () => {
    expect(of('Recibo "ação" (1).pdf')).toBe(
      `inline; filename="Recibo _a__o_ (1).pdf"; filename*=UTF-8''Recibo%20%22a%C3%A7%C3%A3o%22%20%281%29.pdf`,
    )
  })

  test('shows images and PDF in place and downloads everything else', () => {
    for (const type of ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/tiff', 'application/pdf'])
      expect(of('x', type)).toMatch(/^inline;/)
    for (const type of ['text/xml', 'application/xml', 'image/svg+xml', 'text/html', '']) expect(of('x', type)).toMatch(/^attachment;/)
  })

  test('takes paths and hidden direction changes out of the name', () => {
    expect(of('../../etc/passwd')).toContain('filename=".._.._etc_passwd"')
    expect(of('recibo\u202efdp.exe')).toContain('filename="recibofdp.exe"')
    expect(of('\r\n')).toContain('filename="file"')
  })

  test('is one header line of ASCII for any name', () => {
    const header = /^inline; filename="[^"\\\p{Cc}]+"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+$/u
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => header.test(of(name)) && /^[\x20-\x7e]*$/.test(of(name))))
  })
})
