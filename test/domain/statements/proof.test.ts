import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ProvenLine, proveParts } from '#shared/domain/statements/proof'
import { bytesSource } from '#main/tables/table-source'
import { readStatement } from '#main/use-cases/statements/read-statement'
import { fromMinor } from '#shared/domain/money'

/** A change of one line of a file: cut, doubled, or changed by a cent. */
const harms = ['cut', 'doubled', 'changed'] as const
type Harm = (typeof harms)[number]

interface Written {
  readonly day: string
  readonly amount: number
  readonly balance: number
}

const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)

/** Statements of whole days: amounts, and the balances to which they lead. */
const statements = fc
  .record({
    opening: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    amounts: fc.array(
      fc.integer({ min: -50_000, max: 50_000 }).filter((amount) => amount !== 0),
      { minLength: 5, maxLength: 20 },
    ),
    perDay: fc.integer({ min: 1, max: 3 }),
    sign: fc.constantFrom(1, -1),
  })
  .map(({ opening, amounts, perDay, sign }) => {
    let balance = opening
    const lines = amounts.map((amount, index): Written => {
      balance += sign * amount
      return { day: dayOf(Math.floor(index / perDay)), amount, balance }
    })
    return { opening, closing: balance, lines }
  })

function harmed<T extends { readonly amount: number }>(lines: readonly T[], { harm, at }: { harm: Harm; at: number }): T[] {
  const line = lines[at]
  if (!line) return [...lines]
  if (harm === 'cut') return lines.toSpliced(at, 1)
  if (harm === 'doubled') return lines.toSpliced(at, 0, line)
  return lines.with(at, { ...line, amount: line.amount === -1 ? -2 : line.amount + 1 })
}

const text = (minor: number) => fromMinor(minor, 'EUR').toFixed(2)

/** Formats that give balances. */
const formats = {
  csv: ({ lines }) =>
    ['Date;Text;Amount;Balance', ...lines.map(({ day, amount, balance }) => `${day};Shop;${text(amount)};${text(balance)}`)].join('\n'),
  'csv, newest first': ({ lines }) =>
    [
      'Date;Text;Amount;Balance',
      ...lines.toReversed().map(({ day, amount, balance }) => `${day};Shop;${text(amount)};${text(balance)}`),
    ].join('\n'),
  'csv with two columns': ({ lines }) =>
    [
      'Date;Text;Debit;Credit;Balance',
      ...lines.map(
        ({ day, amount, balance }) => `${day};Shop;${amount < 0 ? text(-amount) : ''};${amount > 0 ? text(amount) : ''};${text(balance)}`,
      ),
    ].join('\n'),
  camt: ({ lines, opening, closing }) => {
    const bal = (type: string, minor: number) =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${text(Math.abs(minor))}</Amt><CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd></Bal>`
    const entries = lines.map(
      ({ day, amount }) =>
        `<Ntry><Amt Ccy="EUR">${text(Math.abs(amount))}</Amt><CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><BookgDt><Dt>${day}</Dt></BookgDt></Ntry>`,
    )
    return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${bal('OPBD', opening)}${bal('CLBD', closing)}${entries.join('\n')}</Stmt></BkToCstmrStmt></Document>`
  },
  mt940: ({ lines, opening, closing }) => {
    const comma = (minor: number) => text(Math.abs(minor)).replace('.', ',')
    const bal = (minor: number) => `${minor < 0 ? 'D' : 'C'}260101EUR${comma(minor)}`
    const entries = lines.map(
      ({ day, amount }) => `:61:${day.replaceAll('-', '').slice(2)}${amount < 0 ? 'D' : 'C'}${comma(amount)}NMSCNONREF`,
    )
    return `:20:X\n:25:1\n:28C:1\n:60F:${bal(opening)}\n${entries.join('\n')}\n:62F:${bal(closing)}\n-\n`
  },
} as const satisfies Record<string, (statement: { lines: readonly Written[]; opening: number; closing: number }) => string>

const differenceOf = (content: string) =>
  readStatement(bytesSource(new TextEncoder().encode(content)), {
    ...{ mapping: {}, kept: {}, currency: 'EUR', locale: 'en' },
    account: { last4: '', kept: [], hashOf: (key) => key, chosen: '1' },
  })

describe.each(Object.entries(formats))('%s', (name, write) => {
  const isSigned = name === 'camt' || name === 'mt940'
  test('comes to its balances, and never with a line cut, doubled or changed by a cent', () => {
    fc.assert(
      fc.property(statements, fc.constantFrom(...harms), fc.nat(), (made, harm, place) => {
        // A credit raises the balance of an account; files without directions have either sign.
        const statement = isSigned || name === 'csv with two columns' ? raising(made) : made
        const whole = differenceOf(write(statement))
        expect(whole).toMatchObject({ undecided: [], proof: { difference: 0, reason: null, lines: statement.lines.length } })
        // The first and last lines of a file without stated balances can be cut, and it is whole.
        const at = 1 + (place % (statement.lines.length - 2))
        const read = differenceOf(write({ ...statement, lines: harmed(statement.lines, { harm, at }) }))
        if (read.undecided.length === 0) expect(read.proof?.difference).not.toBe(0)
        else expect(read.lines).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

function raising({ opening, lines }: { opening: number; lines: readonly Written[] }) {
  let balance = opening
  const all = lines.map((line) => ({ ...line, balance: (balance += line.amount) }))
  return { opening, closing: balance, lines: all }
}

test('statements that follow each other have no gap, whatever statement without lines is among them', () => {
  const part = (at: number, from: number, to: number) => {
    const lines = from === to ? [] : [{ line: at, day: dayOf(at), amount_minor: to - from, balance_minor: null }]
    return { lines, opening: from, closing: to, checks: [] }
  }
  const parts = [part(1, 0, 100), part(2, 100, 250), part(3, 250, 250), part(4, 250, 300)]
  expect(proveParts(parts, 0)).toMatchObject({ opening: 0, closing: 300, difference: 0, reason: null })
  expect(proveParts([part(1, 0, 100), part(4, 250, 300)], 0)).toMatchObject({ difference: 150, reason: 'gap', line: 4 })
})

test('two errors that cancel each other are a difference', () => {
  const line = (at: number, amount_minor: number, balance_minor: number): ProvenLine => ({
    line: at,
    day: dayOf(at),
    amount_minor,
    balance_minor,
  })
  const lines = [
    line(1, 100, 100),
    line(2, 200, 350),
    line(3, 50, 400),
    line(4, 75, 475),
    line(5, 10, 435),
    line(6, 5, 440),
    line(7, 60, 500),
  ]
  expect(proveParts([{ lines, opening: 0, closing: 500, checks: [] }], 0)).toMatchObject({ difference: 50, line: 2 })
})
