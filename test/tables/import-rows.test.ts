import { describe, expect, test } from 'vitest'
import { guessColumnMap, mapFileSchema } from '#main/tables/column-map'
import { UnreadableTable } from '#main/tables/table-reason'
import { readImport } from './import-support'

function refusalOf(text: string): string {
  try {
    return `read: ${String(readImport(text).rows.length)}`
  } catch (error) {
    return error instanceof UnreadableTable ? error.word('en') : String(error)
  }
}

describe('columns', () => {
  test('are recognised by English and Portuguese names, whatever their case and accents', () => {
    expect(readImport('Employee;DESCRIÇÃO;Categoria;Data da despesa;Valor (R$)\nAna;Táxi;Viagem;31/12/2022;1.234,56\n').rows).toMatchObject(
      [{ receiver_name: 'Ana', description: 'Táxi', tag_names: ['Viagem'], occurred_at: '2022-12-31', amount: '1234.56' }],
    )
  })

  test('that cannot be recognised are named', () => {
    expect(guessColumnMap(['Foo', 'Date'], [{ Foo: 'x', Date: '2022-01-01' }])).toEqual({
      kind: 'unmapped',
      missing: ['receiver', 'amount'],
      absent: [],
    })
    const mapFile = mapFileSchema.parse({ columns: { receiver: 'Foo', amount: 'Cost', description: '{Foo} {Bar}' } })
    expect(guessColumnMap(['Foo', 'Date'], [], mapFile)).toEqual({ kind: 'unmapped', missing: [], absent: ['Cost', 'Bar'] })
  })

  test('named as amounts are not taken for one when their cells have no digits', () => {
    const map = guessColumnMap(['Name', 'Date', 'Value', 'Total'], [{ Name: 'Ana', Date: '2022-01-01', Value: 'high', Total: '5' }])
    expect(map).toMatchObject({ columns: { amount: 'Total' } })
    expect(guessColumnMap(['Name', 'Date', 'Amount'], [{ Name: 'Ana', Date: '2022-01-01', Amount: 'high' }])).toMatchObject({
      missing: ['amount'],
    })
  })

  test('that a map file says are none are not recognised', () => {
    const headers = ['Employee', 'Date', 'Amount', 'Category', 'Reference', 'Description']
    const mapFile = mapFileSchema.parse({ columns: { tags: null, external_id: null, description: null } })
    expect(guessColumnMap(headers, [])).toMatchObject({
      columns: { tags: 'Category', external_id: 'Reference', description: ['Description'] },
    })
    expect(guessColumnMap(headers, [], mapFile)).toEqual({
      kind: 'mapped',
      columns: { receiver: 'Employee', occurred_at: 'Date', amount: 'Amount' },
    })
    expect(mapFileSchema.safeParse({ columns: { amount: null } }).success).toBe(false)
  })

  test('go where a map file says', () => {
    const mapFile = {
      columns: {
        receiver: { value: 'Ana Lima' },
        amount: 'out',
        tags: { column: 'labels', separator: '/' },
        description: ['shop', '{town} [{zone}]', 'why'],
        location: 'town',
      },
      currency: 'USD',
      date_order: 'mdy',
    }
    const text = 'date,shop,town,zone,why,labels,out\n03/01/2022,Deli,,,lunch,Meals / Team,12.5\n'
    expect(readImport(text, mapFile).rows).toEqual([
      {
        kind: 'row',
        line: 2,
        receiver_name: 'Ana Lima',
        receiver_email: undefined,
        tag_names: ['Meals', 'Team'],
        occurred_at: '2022-03-01',
        amount: '12.5',
        currency: 'USD',
        description: 'Deli · lunch',
        location: undefined,
        external_id: expect.stringMatching(/^[0-9a-f]{64}$/),
        has_own_id: false,
      },
    ])
  })

  test('a map file with a word that means nothing is refused', () => {
    expect(mapFileSchema.safeParse({ columns: { reciever: 'Name' } }).success).toBe(false)
    expect(mapFileSchema.safeParse({ encoding: 'koi8-r' }).success).toBe(false)
    expect(mapFileSchema.parse({ encoding: 'latin1' }).encoding).toBe('windows-1252')
  })
})

describe('rows', () => {
  test('that cannot be read are reported with every wrong column, and the others are read', () => {
    const text = [
      'Name;Date;Amount;Currency',
      'Ana;31/01/2022;1,50;BRL',
      ';31/02/2022;abc;real',
      'Rui;01/02/2022;;BRL',
      'Rui;01/02/2022',
      'Eva;01/02/2022;R$ 2,00;USD',
      'Eva;01/02/2022;$ 2,00;USD',
      'Eva;01/02/2022;2,00;usd',
    ].join('\n')
    const { rows, problems } = readImport(text)
    expect(rows.map(({ line, amount, currency }) => [line, amount, currency])).toEqual([
      [2, '1.50', 'BRL'],
      [8, '2.00', 'USD'],
    ])
    expect(problems.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [3, 'Name', 'is empty'],
      [3, 'Date', '"31/02/2022" is not a day (dmy)'],
      [3, 'Amount', '"abc" is not an amount (decimals after ,)'],
      [3, 'Currency', '"REAL" is not a currency code'],
      [4, 'Amount', 'is empty'],
      [5, null, 'has 2 fields where the header has 4'],
      [6, 'Amount', 'is in BRL where the row says USD'],
      [7, 'Amount', '"$ 2,00" is not an amount (decimals after ,)'],
    ])
  })

  test('take their currency from next to the amount', () => {
    const text = 'Name;Date;Amount\nAna;31/01/2022;R$ 1.234,50\nAna;31/01/2022;9,90 €\nAna;31/01/2022;USD 3\n'
    expect(readImport(text).rows.map(({ amount, currency }) => [amount, currency])).toEqual([
      ['1234.50', 'BRL'],
      ['9.90', 'EUR'],
      ['3', 'USD'],
    ])
  })

  test('with days that could be either are not read before the order is stated', () => {
    const text = 'Name,Date,Amount\nAna,03/01/2022,5\n'
    expect(refusalOf(text)).toBe('Date: ambiguous date order: set date_order in a map file')
    expect(readImport(text, { date_order: 'mdy' }).rows).toMatchObject([{ occurred_at: '2022-03-01' }])
  })
})

describe('a file that cannot be read as a whole', () => {
  test.each([
    ['an empty file', '', 'This file is empty.'],
    ['blank lines only', '\n \n', 'This file is empty.'],
    ['a column that is there twice', 'Name,Date,Amount,Amount\nAna,2022-01-31,5,6\n', /^Two columns are called "Amount"\./],
    ['no column with a date', 'Name,Amount\nAna,5\n', /^No column was recognized as occurred_at/],
  ])('says why: %s', (_, text, sentence) => {
    expect(refusalOf(text)).toMatch(sentence)
  })

  test('of two columns of one name, the one that a map file names is read', () => {
    const text = 'Name,Date,Amount,Amount\nAna,2022-01-31,5,6\n'
    expect(readImport(text, { columns: { amount: 'Amount (2)' } }).rows).toMatchObject([{ amount: '6' }])
    expect(readImport(text, { columns: { amount: 'Amount' } }).rows).toMatchObject([{ amount: '5' }])
    expect(readImport('Name,Date,Amount,Row,Row\nAna,2022-01-31,5,a,b\n').rows).toHaveLength(1)
  })
})

describe('the identity of a row', () => {
  const identities = (text: string): string[] => readImport(text).rows.map((row) => row.external_id)

  test('differs for equal rows of a file and is the same on every reading and in every format', () => {
    const first = identities('Name;Date;Amount\nAna;31/01/2022;1,50\nAna;31/01/2022;1,50\n')
    expect(new Set(first).size).toBe(2)
    expect(identities('Name\tAmount\tDate\nRui\t2.00\t2022-01-30\nAna\t1.50\t2022-01-31\nAna\t1.50\t2022-01-31\n').slice(1)).toEqual(first)
  })

  test('that comes again with other values is a problem, with the same values the same row', () => {
    const { rows, problems } = readImport('uid;Name;Date;Amount\n7;Ana;31/01/2022;1,50\n7;Ana;31/01/2022;1,50\n7;Ana;31/01/2022;2,50\n')
    expect(rows.map(({ line, external_id }) => [line, external_id])).toEqual([
      [2, '7'],
      [3, '7'],
    ])
    expect(problems).toEqual([{ kind: 'problem', line: 4, column: 'uid', reason: '7 also identifies line 2, which differs' }])
  })
})

describe('a supplier', () => {
  const file = (header: string, row: string) => Buffer.from(`${header}\n${row}\n`)

  test('has its own columns, and describes what nothing else does', () => {
    const [row] = readImport(file('Name,Date,Amount,Vendor,Tax id', 'Ana,2026-01-02,10.00,Sol Lda,PT 501 442 600')).rows
    expect(row).toMatchObject({ supplier_name: 'Sol Lda', supplier_tax_id: 'PT 501 442 600', description: 'Sol Lda (PT 501 442 600)' })
  })

  test('is no part of a description that says what was bought, and the row is known by its old digest', () => {
    const header = 'Name,Date,Amount,Vendor,Tax id,Invoice,Details'
    const { rows } = readImport(file(header, 'Ana,2026-01-02,10.00,Sol Lda,PT 501 442 600,7,Lunch'))
    expect(rows).toMatchObject([
      { description: 'doc 7 · Lunch', external_id: 'df2158c5ae90e387e7d92c6045bfd2d2a09cf7b830cc0965bffbe7ff9b0c2a4e' },
    ])
  })

  test("a person's own tax number is none of a supplier", () => {
    const [row] = readImport(file('Nome;CPF;Data;Valor', 'Ana;111.444.777-35;02/01/2026;10,00')).rows
    expect(row).toMatchObject({ receiver_name: 'Ana', description: '111.444.777-35' })
    expect(row).not.toMatchObject({ supplier_tax_id: expect.anything() })
  })

  test('rows that were imported before it had columns are known again', () => {
    const [row] = readImport(file('Name,Date,Amount,Vendor', 'Ana,2026-01-02,10.00,Sol Lda')).rows
    expect(row?.external_id).toBe('1e4281c61fb973579f9626127fe05bb7c20cb1c3fa56a08af1c21401fe9a6021')
  })
})

test('the description of an exported expense is whole: the supplier is not put before it again', () => {
  const text = 'receiver,occurred_at,amount,description,supplier_name,supplier_tax_id\nAna,2026-01-02,10.00,Lunch,Sol Lda,PT 1\n'
  expect(readImport(Buffer.from(text)).rows).toMatchObject([{ description: 'Lunch', supplier_name: 'Sol Lda', supplier_tax_id: 'PT 1' }])
})
