import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guardFormula, unguardFormula } from '#shared/domain/csv-cell'
import { readTable } from '#main/tables/read-table'
import { bytesSource } from '#main/tables/table-source'
import { toTagCell, toTagNames } from '#main/tables/tag-cell'
import { writeCsv, writeJson } from '#main/tables/write-table'
import { readAll, readImport } from './import-support'

const encode = (text: string) => bytesSource(new TextEncoder().encode(text))

describe('a CSV file', () => {
  test('has a byte order mark, CRLF, and quotes where they are needed', async () => {
    const rows = [{ a: 'x,"y"', b: 1.5 }, { a: null, b: 'p\nq' }, { b: true }]
    expect(await readAll(writeCsv(rows, ['a', 'b']))).toBe('\uFEFFa,b\r\n"x,""y""",1.5\r\n,"p\nq"\r\n,true\r\n')
  })

  test('gives every text back, and none of them runs as a formula', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '=', '-', '+', '@', "'", '"', ',', ';', '\t', '\r', '\n', ' ', '1', 'é', '\uFEFF', '\u200B', '＝'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ key: fc.constant('k'), text: cell }), { maxLength: 8 }), async (rows) => {
        const written = await readAll(writeCsv(rows, ['key', 'text']))
        const { entries } = readTable(encode(written), { delimiter: ',', header_line: 1 })
        const texts = [...entries()].map((entry) => (entry.kind === 'row' ? (entry.fields['text'] ?? '') : entry.reason.code))
        expect(texts.map(unguardFormula)).toEqual(rows.map((row) => row.text))
        for (const text of texts) expect(text).not.toMatch(/^[\s\p{Cf}]*[=@＝]|^[\t\r\n]|^[+-](?!\d)/u)
      }),
    )
  })

  test('guards formulas and leaves numbers alone', () => {
    expect(['=1+1', '@x', '-5', '-5,50', '+5.5', '-5+1', '\tx', 'a=b'].map(guardFormula)).toEqual([
      "'=1+1",
      "'@x",
      '-5',
      '-5,50',
      '+5.5',
      "'-5+1",
      "'\tx",
      'a=b',
    ])
    for (const hidden of [' =1', '\n=1', '\uFEFF=1', '\u200B@x', '\u00A0-1+1', '＝1+1', '＠x'])
      expect(guardFormula(hidden)).toBe(`'${hidden}`)
  })

  test('streams: rows are asked for as chunks are taken', async () => {
    let asked = 0
    function* rows(): Generator<{ a: string }> {
      for (; asked < 1000; asked += 1) yield { a: 'x'.repeat(1000) }
    }
    const chunks = writeCsv(rows(), ['a'])
    await chunks.next()
    expect(asked).toBeLessThan(100)
    await chunks.return(undefined)
  })

  test('of exported expenses can be imported again, by uid', async () => {
    const exported = {
      id: 7,
      uid: '0192f0c1',
      occurred_at: '2022-01-03T12:00:00.000Z',
      description: '=cab, "late"',
      receiver: 'ANA LIMA',
      receiver_email: 'ana@example.com',
      tags: toTagCell(['Travel, air', 'Team']),
      amount: 1234.5,
      currency: 'USD',
      approved_amount: 1000,
      approved_amount_currency: 'USD',
      status: 'approved',
      kind: 'monetary',
      location: 'Recife',
      created_at: '2022-01-04T00:00:00.000Z',
    }
    const headers = [
      'id',
      'uid',
      'occurred_at',
      'description',
      'receiver',
      'receiver_email',
      'tags',
      'amount',
      'currency',
      'approved_amount',
      'approved_amount_currency',
      'status',
      'kind',
      'location',
      'created_at',
    ] as const
    expect(readImport(await readAll(writeCsv([exported], headers)))).toEqual({
      problems: [],
      rows: [
        {
          kind: 'row',
          line: 2,
          receiver_name: 'ANA LIMA',
          receiver_email: 'ana@example.com',
          tag_names: ['Travel, air', 'Team'],
          occurred_at: '2022-01-03',
          amount: '1234.5',
          currency: 'USD',
          description: '=cab, "late"',
          external_id: '0192f0c1',
          has_own_id: true,
          location: 'Recife',
        },
      ],
    })
  })
})

describe('a cell of tags', () => {
  test('gives the names back, commas and quotes included', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'ç', ',', '"', ' '), minLength: 1 }).filter((text) => text.trim() === text)
    fc.assert(
      fc.property(fc.array(name), (names) => {
        expect(toTagNames(toTagCell(names))).toEqual(names)
      }),
    )
  })

  test('is read as people write it', () => {
    expect(toTagNames(' Travel,Meals , ,Team ')).toEqual(['Travel', 'Meals', 'Team'])
  })
})

describe('a JSON file', () => {
  test('is one array, also when there are no rows', async () => {
    expect(JSON.parse(await readAll(writeJson([{ a: 1 }, { a: 'é' }])))).toEqual([{ a: 1 }, { a: 'é' }])
    expect(await readAll(writeJson([]))).toBe('[]\n')
  })
})
