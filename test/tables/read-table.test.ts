import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTable } from '#main/tables/read-table'
import { findEncoding } from '#main/tables/encodings'
import { detectFormat } from '#main/tables/table-format'
import { UnreadableTable } from '#main/tables/table-reason'
import { bytesSource } from '#main/tables/table-source'
import { worded } from './import-support'

const encode = (text: string) => bytesSource(new TextEncoder().encode(text))
const latin1 = (text: string) => bytesSource(Buffer.from(text, 'latin1'))

/** A file's columns and all that it has. */
function read(...[source, overrides]: Parameters<typeof readTable>) {
  const { headers, entries } = readTable(source, overrides)
  return { headers, entries: [...entries()].map((entry) => (entry.kind === 'row' ? entry : worded(entry))) }
}

/** A text in one of the Unicode forms, `size` bytes a unit. */
function unicode(text: string, size: 2 | 4, order: 'le' | 'be') {
  const units = size === 4 ? [...text].map((one) => one.codePointAt(0) ?? 0) : text.split('').map((one) => one.charCodeAt(0))
  const bytes = new DataView(new ArrayBuffer(units.length * size))
  for (const [index, unit] of units.entries())
    if (size === 2) bytes.setUint16(index * 2, unit, order === 'le')
    else bytes.setUint32(index * 4, unit, order === 'le')
  return bytesSource(new Uint8Array(bytes.buffer))
}

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
  ])('is recognised by its lines: %s', (_, text, expected) => {
    expect(detectFormat(encode(text))).toMatchObject(expected)
  })

  test('bytes that are not UTF-8 are read as windows-1252, and a byte order mark means UTF-16', () => {
    expect(detectFormat(latin1('Descrição;Valor\nPão;1\n')).encoding).toBe('windows-1252')
    expect(detectFormat(unicode('\uFEFFDescrição;Valor\nPão;1\n', 2, 'le')).encoding).toBe('utf-16le')
    expect(detectFormat(encode('\uFEFFDescrição;Valor\nPão;1\n')).encoding).toBe('utf-8')
  })

  test.each([2, 4] as const)('%i bytes a character are read in both orders, with a mark and by name', (size) => {
    const text = 'Descrição;Valor\nPão 🥖;1\n'
    for (const order of ['le', 'be'] as const) {
      const expected = [{ kind: 'row', line: 2, fields: { Descrição: 'Pão 🥖', Valor: '1' } }]
      expect(read(unicode(`\uFEFF${text}`, size, order)).entries).toEqual(expected)
      const encoding = findEncoding(`utf-${String(size * 8)}${order}`)
      expect(read(unicode(text, size, order), { encoding }).entries).toEqual(expected)
      if (size === 2) expect(read(unicode(text, size, order)).entries).toEqual(expected)
    }
  })

  test('a file that is not text is rejected, wherever the binary bytes are', () => {
    expect(() => readTable(bytesSource(new Uint8Array(5000)))).toThrow(UnreadableTable)
    const late = `a;b\n${'1;2\n'.repeat(200_000)}\0\0`
    expect(() => read(encode(late))).toThrow(UnreadableTable)
  })

  test('stated options take precedence', () => {
    const stated = { encoding: 'windows-1252', delimiter: ',', header_line: 2, quote: '' } as const
    expect(detectFormat(encode('a;b\nc;d\n1;2\n'), stated)).toEqual(stated)
  })

  test('encodings go by their usual labels', () => {
    const labels = ['latin1', 'ISO-8859-1', 'cp1252', 'UTF8', 'utf-16', 'UTF-16BE', 'utf-32', 'UTF32-be', 'koi8-r', 'nonsense']
    expect(labels.map(findEncoding)).toEqual([
      'windows-1252',
      'windows-1252',
      'windows-1252',
      'utf-8',
      'utf-16le',
      'utf-16be',
      'utf-32le',
      'utf-32be',
      undefined,
      undefined,
    ])
  })
})

describe('the rows of a file', () => {
  test('keep their physical lines, past blank lines and line breaks in quotes', () => {
    const { headers, entries } = read(encode('a;b\r\n1;"x\r\ny"\r\n\r\n;\r\n2;"say ""hi"""\r\n3;z'))
    expect(headers).toEqual(['a', 'b'])
    expect(entries).toEqual([
      { kind: 'row', line: 2, fields: { a: '1', b: 'x\r\ny' } },
      { kind: 'row', line: 6, fields: { a: '2', b: 'say "hi"' } },
      { kind: 'row', line: 7, fields: { a: '3', b: 'z' } },
    ])
  })

  test('a malformed line is a problem and costs no other line', () => {
    const text = 'a;b\n1;x\n2\n"3;open\n4;y\n"5"q;z\n6;1;2\n7;5" pipe\n"8;open to the end'
    expect(read(encode(text)).entries).toEqual([
      { kind: 'row', line: 2, fields: { a: '1', b: 'x' } },
      { kind: 'problem', line: 3, column: null, reason: 'has 1 fields where the header has 2' },
      { kind: 'problem', line: 4, column: null, reason: 'a quote is opened and not closed' },
      { kind: 'row', line: 5, fields: { a: '4', b: 'y' } },
      { kind: 'problem', line: 6, column: null, reason: 'a quote is opened and not closed' },
      { kind: 'problem', line: 7, column: null, reason: 'has 3 fields where the header has 2' },
      { kind: 'row', line: 8, fields: { a: '7', b: '5" pipe' } },
      { kind: 'problem', line: 9, column: null, reason: 'a quote is opened and not closed' },
    ])
  })

  test('quotes inside a quoted field are part of it, doubled or not', () => {
    const lines = ['1;"99 Taxi ("99")";2', '2;"The "Inn"";3', '3;"say ""hi""";4', '4;"a"";b";5', '5;"";6', '6;"x ""y"" z";7']
    expect(read(encode(['who;what;n', ...lines].join('\n'))).entries).toMatchObject([
      { fields: { what: '99 Taxi ("99")', n: '2' } },
      { fields: { what: 'The "Inn"', n: '3' } },
      { fields: { what: 'say "hi"', n: '4' } },
      { fields: { what: 'a";b', n: '5' } },
      { fields: { what: '', n: '6' } },
      { fields: { what: 'x "y" z', n: '7' } },
    ])
  })

  test('are the same however the bytes come', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '🥖', '"', ';', '\n', '\r\n', ' '), maxLength: 12 })
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), (rows, size) => {
        const text = ['a;b', ...rows.map((cells) => cells.map(quoted).join(';'))].join('\r\n')
        const bytes = new TextEncoder().encode(text)
        const inPieces = function* () {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
        }
        const stated = { encoding: 'utf-8', delimiter: ';', header_line: 1 } as const
        const texts = rows.filter((cells) => cells.some((one) => one.trim() !== ''))
        for (const source of [inPieces, bytesSource(bytes)]) {
          const { entries } = read(source, stated)
          expect(entries.map((entry) => (entry.kind === 'row' ? Object.values(entry.fields) : entry))).toEqual(texts)
        }
      }),
    )
  })

  test('a line that never ends costs itself only', () => {
    const text = `a;b\n1;${'x'.repeat(2_000_000)}\n2;y\n`
    expect(read(encode(text)).entries).toEqual([
      { kind: 'problem', line: 2, column: null, reason: 'the line is too long' },
      { kind: 'row', line: 3, fields: { a: '2', b: 'y' } },
    ])
  })

  test('bytes that are not of the stated encoding are a problem of their row', () => {
    const bytes = latin1('a;b\n1;x\n2;Pão\n')
    expect(read(bytes, { encoding: 'utf-8' }).entries).toEqual([
      { kind: 'row', line: 2, fields: { a: '1', b: 'x' } },
      { kind: 'problem', line: 3, column: 'b', reason: 'has bytes that are not utf-8' },
    ])
  })

  test('nameless and repeated columns get a name of their own', () => {
    expect(read(encode('a, ,a,__proto__\n1,2,3,4\n')).entries).toMatchObject([
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
    expect(read(bytesSource(new Uint8Array()))).toMatchObject({ headers: [], entries: [] })
  })
})
