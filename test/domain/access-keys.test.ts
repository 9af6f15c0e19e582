import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAccessKey, readAccessKey } from '#shared/domain/access-keys'
import { checkDigitOf } from '#shared/domain/modulo-11'
import { formatTaxId, isCnpj, isCpf } from '#shared/domain/tax-ids'
import { makeCnpj } from '#test/support/invoices'

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
const baseOfCnpj = fc.stringMatching(/^[A-Z0-9]{12}$/).filter((base) => !/^0+$/.test(base))
const bodyOfKey = fc.tuple(digits(6), baseOfCnpj.map(makeCnpj), digits(23)).map((parts) => parts.join(''))
const serviceBody = fc
  .tuple(digits(7), fc.constantFrom('1', '2'), fc.constantFrom('1', '2'), baseOfCnpj.map(makeCnpj), digits(26))
  .map((parts) => parts.join(''))

/** The remainder of a text by the definition, written another way than the program's. */
function remainderOf(text: string): number {
  const weights = [2, 3, 4, 5, 6, 7, 8, 9]
  const fromTheRight = [...text].reverse().map((character, place) => (character.charCodeAt(0) - 48) * (weights[place % 8] ?? 0))
  return fromTheRight.reduce((sum, value) => sum + value, 0) % 11
}

describe('the check digit of an access key', () => {
  test('is that of keys that are published in documentation', () => {
    for (const key of [
      '13181017921427000125650010000000309887251170',
      '33150308370779000149550010001100931002410775',
      '35503082258716523000119000000000001226011357924683',
    ])
      expect(readAccessKey(key)).toMatchObject({ is_checked: true })
  })

  test('notices every changed character that modulo 11 can notice', () => {
    const characters = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    fc.assert(
      fc.property(fc.oneof(bodyOfKey, serviceBody), fc.nat(48), characters, (body, at, character) => {
        const place = at % body.length
        const changed = body.slice(0, place) + character + body.slice(place + 1)
        const [before, after] = [remainderOf(body), remainderOf(changed)]
        const isNoticed = checkDigitOf(changed) !== checkDigitOf(body)
        expect(isNoticed).toBe(before !== after && !(before < 2 && after < 2))
        // Two different digits are never worth the same modulo 11.
        if (/\d/.test(body[place] ?? '') && /\d/.test(character) && body[place] !== character) expect(before).not.toBe(after)
      }),
      { numRuns: 2000 },
    )
  })

  test('is right in every key made with it, wrong in every key with another one, and the parts can be read back', () => {
    fc.assert(
      fc.property(bodyOfKey, fc.integer({ min: 1, max: 9 }), (body, step) => {
        const digit = checkDigitOf(body)
        const key = readAccessKey(body + digit)
        expect(key).toMatchObject({ is_checked: true, month: body.slice(2, 6), tax_id: body.slice(6, 20), model: body.slice(20, 22) })
        expect(key?.number.padStart(9, '0')).toBe(body.slice(25, 34))
        expect(readAccessKey(body + String((Number(digit) + step) % 10))).toMatchObject({ is_checked: false })
      }),
    )
  })
})

test('a key is 44 characters, or 50 of a national NFS-e, with letters in the CNPJ only', () => {
  const key = '35260111222333000181550010000045121100451270'
  for (const other of ['', key.slice(1), `${key}0`, key.toLowerCase().replace('1', 'a'), `A${key.slice(1)}`, `${key.slice(0, -1)}A`])
    expect(readAccessKey(other)).toBeUndefined()
  expect(readAccessKey(key)).toMatchObject({ number: '4512', series: '1', model: '55', month: '2601' })
})

test('keys and registrations are written as on paper, and come back without what was put between', () => {
  fc.assert(
    fc.property(bodyOfKey, (body) => {
      const key = body + checkDigitOf(body)
      const written = formatAccessKey(key)
      expect(written).toMatch(/^\S{4}( \S{4}){10}$/)
      expect(written.replaceAll(' ', '')).toBe(key)
    }),
  )
  fc.assert(
    fc.property(baseOfCnpj, (base) => {
      const written = formatTaxId(makeCnpj(base))
      expect(written).toMatch(/^\S{2}\.\S{3}\.\S{3}\/\S{4}-\d\d$/)
      expect(written.replace(/[./-]/g, '')).toBe(makeCnpj(base))
    }),
  )
  expect(formatTaxId('52998224725')).toBe('529.982.247-25')
  expect(formatTaxId('X1')).toBe('X1')
})

describe('registrations', () => {
  test('those of the tax authority’s own examples are right, with letters too', () => {
    expect(['12ABC34501DE35', '11222333000181', '00000000000191'].map(isCnpj)).toEqual([true, true, true])
    expect(isCpf('52998224725')).toBe(true)
  })

  test('a changed digit, a wrong length, small letters, zeros and repeated digits are refused', () => {
    expect(['12ABC34501DE36', '12abc34501DE35', '1122233300018', '00000000000000', '12ABC34501DEAB'].some(isCnpj)).toBe(false)
    expect(['52998224726', '11111111111', '5299822472', '5299822472A'].some(isCpf)).toBe(false)
  })
})
