import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DigestMap } from '#main/tables/digest-map'
import { planImport } from '#main/tables/plan-import'
import { collectGarbage } from '#test/support/collect-garbage'
import { inForm } from '#test/support/form'

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** Few first words, so that many digests want the same place. */
const digestArbitrary = fc
  .record({ first: fc.nat(3), text: fc.nat(200) })
  .map(({ first, text }) => Buffer.concat([Buffer.from([first, 0, 0, 0]), digestOf(String(text))]))

test('remembers the last values of each digest', () => {
  const writeArbitrary = fc.record({ digest: digestArbitrary, value: fc.integer({ min: 1, max: 2 ** 32 - 1 }), other: fc.nat() })
  fc.assert(
    fc.property(fc.array(writeArbitrary, { maxLength: 60 }), fc.integer({ min: 0, max: 3000 }), (writes, more) => {
      const map = new DigestMap(2)
      const expected = new Map<string, readonly number[]>()
      for (const { digest, value, other } of writes) {
        map.set(digest, [value, other])
        expected.set(digest.toString('hex'), [value, other])
      }
      // So many that it grows.
      for (let index = 0; index < more; index += 1) map.set(digestOf(`more ${index}`), [index + 1, index])
      for (const { digest } of writes) expect([...map.get(digest)]).toEqual(expected.get(digest.toString('hex')))
      for (let index = 0; index < more; index += 97) expect([...map.get(digestOf(`more ${index}`))]).toEqual([index + 1, index])
      expect([...map.get(digestOf('never set'))]).toEqual([0, 0])
    }),
    { numRuns: 30 },
  )
})

const rows = inForm(22_000, 44_000)
const bytesPerRow = 64

test(`an import keeps less than ${bytesPerRow} bytes of each row that is read`, { timeout: 60_000 }, () => {
  const bytes = () => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers
  }
  const { rows: read } = planImport(function* () {
    yield Buffer.from('Reference,Employee,Date,Amount,Category,Description\n')
    for (let from = 0; from < rows; from += 500)
      yield Buffer.from(Array.from({ length: 500 }, (_, row) => `R-${from + row},Ana,2022-01-31,12.50,Travel,Taxi\n`).join(''))
  })
  const entries = read()[Symbol.iterator]()
  expect(entries.next().value).toMatchObject({ external_id: 'R-0' })
  const before = bytes()
  for (let row = 1; row < rows; row += 1) entries.next()
  expect(bytes() - before).toBeLessThan(rows * bytesPerRow)
  // Read to the last row, whose identities are therefore still held.
  expect(entries.next().done).toBe(true)
})
