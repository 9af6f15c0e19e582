import { describe, expect, test } from 'vitest'
import { readTable } from '#main/tables/read-table'
import { detectFormat, findEncoding } from '#main/tables/table-format'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const utf16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le')

describe('the format of a file', () => {
  test.each([
    ['commas', 'Name,Date,Amount\nAna,2022-01-31,1.50\n', { encoding: 'utf-8', delimiter: ',', header_line: 1 }],
    ['tabs', 'Name\tAmount\nAna, Lima\t1,50\n', { encoding: 'utf-8', delimiter: '\t', header_line: 1 }],
    ['pipes', 'Name|Amount\rAna|1,50\r', { encoding: 'utf-8', delimiter: '|', header_line: 1 }],
    ['semicolons beside decimal commas', 'Nome;Valor\nAna;1,50\nRui;2,75\n', { delimiter: ';', header_line: 1 }],
    ['delimiters inside quotes', 'a,b\n"x;y;z",1\n"p;q;r",2\n', { delimiter: ',', header_line: 1 }],
    [
      'lines above the header',
      'Report\nPrinted;today\n\nNome;Data;Valor\nAna;01/02/2022;1\nRui;02/02/2022;2\n',
      { delimiter: ';', header_line: 4 },
    ],
  ])('is told by its lines: %s', (_, text, expected) => {
    expect(detectFormat(encode(text))).toMatchObject(expected)
  })

  test('bytes that are not UTF-8 are windows-1252, and a byte order mark tells UTF-16', () => {
    expect(detectFormat(Buffer.from('Descrição;Valor\nPão;1\n', 'latin1')).encoding).toBe('windows-1252')
    expect(detectFormat(utf16('Descrição;Valor\nPão;1\n')).encoding).toBe('utf-16le')
    expect(detectFormat(encode('\uFEFFDescrição;Valor\nPão;1\n')).encoding).toBe('utf-8')
  })

  test('what is stated wins', () => {
    const stated = { encoding: 'windows-1252', delimiter: ',', header_line: 2, quote: '' } as const
    expect(detectFormat(encode('a;b\nc;d\n1;2\n'), stated)).toEqual(stated)
  })

  test('encodings go by their usual labels', () => {
    expect(['latin1', 'ISO-8859-1', 'cp1252', 'UTF8', 'utf-16', 'koi8-r', 'nonsense'].map(findEncoding)).toEqual([
      'windows-1252',
      'windows-1252',
      'windows-1252',
      'utf-8',
      'utf-16le',
      undefined,
      undefined,
    ])
  })
})

describe('the rows of a file', () => {
  test('keep their physical lines, past blank lines and line breaks in quotes', () => {
    const { headers, entries } = readTable(encode('a;b\r\n1;"x\r\ny"\r\n\r\n;\r\n2;"say ""hi"""\r\n3;z'))
    expect(headers).toEqual(['a', 'b'])
    expect(entries).toEqual([
      { kind: 'row', line: 2, fields: { a: '1', b: 'x\r\ny' } },
      { kind: 'row', line: 6, fields: { a: '2', b: 'say "hi"' } },
      { kind: 'row', line: 7, fields: { a: '3', b: 'z' } },
    ])
  })

  test('a malformed line is a problem and costs no other line', () => {
    const text = 'a;b\n1;x\n2\n"3;open\n4;y\n"5"q;z\n6;1;2\n7;5" pipe\n"8;open to the end'
    expect(readTable(encode(text)).entries).toEqual([
      { kind: 'row', line: 2, fields: { a: '1', b: 'x' } },
      { kind: 'problem', line: 3, column: null, reason: 'has 1 fields where the header has 2' },
      { kind: 'problem', line: 4, column: null, reason: 'there is text between a closing quote and the next delimiter' },
      { kind: 'row', line: 5, fields: { a: '4', b: 'y' } },
      { kind: 'problem', line: 6, column: null, reason: 'there is text between a closing quote and the next delimiter' },
      { kind: 'problem', line: 7, column: null, reason: 'has 3 fields where the header has 2' },
      { kind: 'row', line: 8, fields: { a: '7', b: '5" pipe' } },
      { kind: 'problem', line: 9, column: null, reason: 'a quote is opened and not closed' },
    ])
  })

  test('bytes that are not of the stated encoding are a problem of their row', () => {
    const bytes = Buffer.from('a;b\n1;x\n2;Pão\n', 'latin1')
    expect(readTable(bytes, { encoding: 'utf-8' }).entries).toEqual([
      { kind: 'row', line: 2, fields: { a: '1', b: 'x' } },
      { kind: 'problem', line: 3, column: 'b', reason: 'has bytes that are not utf-8' },
    ])
  })

  test('nameless and repeated columns get a name of their own', () => {
    expect(readTable(encode('a, ,a,__proto__\n1,2,3,4\n')).entries).toMatchObject([
      {
        fields: Object.fromEntries([
          ['a', '1'],
          ['column 2', '2'],
          ['a (2)', '3'],
          ['__proto__', '4'],
        ]),
      },
    ])
  })

  test('an empty file has neither columns nor rows', () => {
    expect(readTable(new Uint8Array())).toMatchObject({ headers: [], entries: [] })
  })
})
