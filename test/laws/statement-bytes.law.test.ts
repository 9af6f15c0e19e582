import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UnreadableTable } from '#main/tables/table-reason'
import { bytesSource } from '#main/tables/table-source'
import { bytesOfPages } from '#main/tables/statements/pdf-rows'
import { plainSource } from '#main/tables/workbook'
import { writeWorkbook } from '#main/tables/write-xlsx'
import type { ReadStatement } from '#main/use-cases/statements/read-statement'
import { followClosing } from '#shared/domain/statements/closings'
import { inForm } from '#test/support/form'
import { type StatementFixture, bytesOf, fixtureFolder, pagesAt, readFixture, statementFixtures } from '#test/support/statements/fixtures'

/** How many files, by an environment variable for a run of any length: `OUTLAY_BYTES=1000000`. */
const numRuns = Number(process.env.OUTLAY_BYTES ?? inForm(500, 100_000))
/** The usual run is the same each time. */
const size = { numRuns, ...(process.env.OUTLAY_BYTES === undefined && { seed: 5 }) }
/** A workbook or PDF takes longer, and one whose reading never ends fails. */
const ofWorkbooks = { ...size, numRuns: Math.ceil(numRuns / 4), timeout: 30_000 }

const edit = fc.record({
  kind: fc.constantFrom('changed', 'digit', 'dropped', 'doubled', 'cut'),
  at: fc.nat(),
  byte: fc.nat(255),
  /** Shorter than two lines: these could cancel each other. */
  length: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30 })),
})
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39

function edited(bytes: Uint8Array, { kind, at: place, byte, length }: Edit): Uint8Array {
  const digits = kind === 'digit' ? [...bytes.keys()].filter((index) => isDigit(bytes[index])) : []
  const at = digits.length > 0 ? (digits[place % digits.length] ?? 0) : place % (bytes.length + 1)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  const some = after.subarray(0, length)
  switch (kind) {
    case 'changed':
      return Uint8Array.from([...before, byte, ...after.subarray(1)])
    case 'digit':
      return Uint8Array.from([...before, 0x30 + (byte % 10), ...after.subarray(1)])
    case 'dropped':
      return Uint8Array.from([...before, ...after.subarray(length)])
    case 'doubled':
      return Uint8Array.from([...before, ...some, ...after])
    case 'cut':
      return before
  }
}

const read = (fixture: StatementFixture, bytes: Uint8Array) => attempt(() => readFixture(fixture, bytesSource(bytes)))

/** What is read, or nothing where it is refused with a reason. Whatever else is thrown fails the test. */
function attempt(work: () => ReadStatement): ReadStatement | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UnreadableTable) || error.reasons.length === 0) throw error
    return undefined
  }
}

/** Whether a reading claims to be whole and to the cent, by its own balances or by the one before that the card keeps. */
function isProven(found: ReadStatement | undefined): found is ReadStatement {
  if (!found?.proof || found.proof.reason !== null || found.undecided.length > 0 || found.refused > 0) return false
  const follows =
    found.end &&
    followClosing(
      found.end,
      found.lines.map((line) => ({ ...line, isKnown: false })),
    )
  return (found.proof.difference ?? follows?.difference) === 0
}

const amountsOf = ({ lines }: ReadStatement) => lines.map(({ amount_minor }) => amount_minor)
const contains = (whole: readonly number[], part: readonly number[]) =>
  whole.some((_, from) => part.every((amount, index) => whole[from + index] === amount))

/** Whether amounts are those of a file, some of them together: a batch with a broken part is one line. */
function comeTo(due: readonly number[], amounts: readonly number[]): boolean {
  let at = 0
  for (const amount of amounts) {
    let sum = due[at++]
    while (sum !== amount) {
      const next = due[at++]
      if (sum === undefined || next === undefined) return false
      sum += next
    }
  }
  return at === due.length
}

/**
 * Whether amounts are those of the file. Balances after each line do not say where a table begins and ends, nor which amounts are spent: its first and
 * last line may be others, and all may have the other sign.
 */
function isSame(file: ReadStatement, found: ReadStatement): boolean {
  const [due, amounts] = [amountsOf(file), amountsOf(found)]
  if (file.format !== 'csv' && file.format !== 'xlsx') return comeTo(due, amounts)
  const inner = amounts.slice(1, -1)
  return [inner, inner.map((amount) => 0 - amount)].some((part) => contains(due, part))
}

const proven = statementFixtures.filter((fixture) => isProven(read(fixture, bytesOf(fixture))))

describe('a statement whose bytes were changed, dropped, doubled or cut', { timeout: 3_600_000 }, () => {
  test('is read or refused with a reason', () => {
    fc.assert(
      fc.property(fc.constantFrom(...statementFixtures), fc.array(edit, { minLength: 1, maxLength: 4 }), (fixture, edits) => {
        read(fixture, edits.reduce(edited, bytesOf(fixture)))
      }),
      size,
    )
  })

  test('is not proven where its amounts are others', () => {
    expect(new Set(proven.map(({ file }) => file.replace(/.*\./, '')))).toEqual(new Set(['csv', 'ofx', 'sta', 'xml']))
    fc.assert(
      fc.property(fc.constantFrom(...proven), edit, (fixture, one) => {
        const [file, found] = [bytesOf(fixture), edited(bytesOf(fixture), one)].map((bytes) => read(fixture, bytes))
        if (file && isProven(found)) expect({ isSame: isSame(file, found), found: amountsOf(found) }).toMatchObject({ isSame: true })
      }),
      size,
    )
  })
})

describe('a PDF whose texts were changed, dropped, doubled or moved', { timeout: 3_600_000 }, () => {
  type Pages = Awaited<ReturnType<typeof pagesAt>>
  const pdfs = statementFixtures.filter(({ file }) => file.endsWith('.pdf'))
  const readPages = (fixture: StatementFixture, pages: Pages) => attempt(() => readFixture(fixture, bytesOfPages(pages), 'pdf'))
  const change = fc.record({
    kind: fc.constantFrom('digit', 'dropped', 'doubled', 'down', 'right', 'page'),
    at: fc.nat(),
    digit: fc.nat(9),
    by: fc.integer({ min: -60, max: 60 }),
  })

  function changed(pages: Pages, { kind, at, digit, by }: typeof change extends fc.Arbitrary<infer T> ? T : never): Pages {
    const places = pages.flatMap((texts, page) => texts.map((_, index) => ({ page, index })))
    const place = places[at % places.length]
    if (kind === 'page') return pages.filter((_, page) => page !== place?.page)
    return pages.map((texts, page) =>
      texts.flatMap((text, index) => {
        if (page !== place?.page || index !== place.index) return [text]
        const digits = [...text.text.matchAll(/\d/g)].map((found) => found.index)
        const one = digits[at % Math.max(1, digits.length)] ?? 0
        if (kind === 'digit')
          return [digits.length === 0 ? text : { ...text, text: `${text.text.slice(0, one)}${digit}${text.text.slice(one + 1)}` }]
        if (kind === 'dropped') return []
        if (kind === 'doubled') return [text, { ...text, y: text.y + by }]
        return [kind === 'down' ? { ...text, y: text.y + by } : { ...text, x: text.x + by }]
      }),
    )
  }

  test('is read or refused with a reason, and not proven where its amounts are others', async () => {
    const files = await Promise.all(pdfs.map(async (fixture) => ({ fixture, pages: await pagesAt(join(fixtureFolder, fixture.file)) })))
    const whole = files.filter(({ fixture, pages }) => isProven(readPages(fixture, pages)))
    expect(whole.length).toBeGreaterThan(8)
    fc.assert(
      fc.property(fc.constantFrom(...whole), change, ({ fixture, pages }, one) => {
        const [file, found] = [readPages(fixture, pages), readPages(fixture, changed(pages, one))]
        if (!file || !isProven(found)) return
        // As in a table of any kind, all can have the other sign.
        const amounts = amountsOf(found)
        expect([amounts, amounts.map((amount) => 0 - amount)].map((some) => some.toSorted())).toContainEqual(amountsOf(file).toSorted())
      }),
      ofWorkbooks,
    )
  })
})

describe('a workbook whose bytes were changed, dropped, doubled or cut', { timeout: 3_600_000 }, () => {
  let folder = ''
  let workbook = new Uint8Array()
  const days = ['2026-03-01', '2026-03-02', '2026-03-04', '2026-03-05', '2026-03-09', '2026-03-10']
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outlay-bytes-'))
    let balance = 1_000
    const cells = days.map((day, index) => [
      { value: new Date(`${day}T00:00:00Z`), format: 'yyyy-mm-dd' },
      `Shop ${day}`,
      { value: -12.5 * (index + 1), format: '0.00' },
      { value: (balance -= 12.5 * (index + 1)), format: '0.00' },
    ])
    const source = async function* () {
      yield* await Promise.resolve(cells)
    }
    const sheet = { name: 'Bookings', headers: () => ['Date', 'Text', 'Amount', 'Balance'], rows: source }
    workbook = Buffer.concat(await Array.fromAsync(writeWorkbook([sheet])))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function readWorkbook(bytes: Uint8Array): Promise<ReadStatement | undefined> {
    const path = join(folder, 'statement.xlsx')
    await writeFile(path, bytes)
    try {
      const { source, format } = await plainSource(path)
      return attempt(() => readFixture({ currency: 'EUR' }, source, format))
    } catch (error) {
      if (!(error instanceof UnreadableTable)) throw error
      return undefined
    }
  }

  test('is read or refused with a reason, and not proven where its amounts are others', async () => {
    const file = await readWorkbook(workbook)
    expect(isProven(file)).toBe(true)
    await fc.assert(
      fc.asyncProperty(edit, async (one) => {
        const found = await readWorkbook(edited(workbook, one))
        if (file && isProven(found)) expect(isSame(file, found)).toBe(true)
      }),
      ofWorkbooks,
    )
  })
})
