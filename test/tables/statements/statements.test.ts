import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wordReason } from '#main/tables/table-reason'
import { bytesSource } from '#main/tables/table-source'
import { openStatement } from '#main/tables/statements/statement'
import { fromMinor } from '#shared/domain/money'
import { ofxOf } from '#test/support/statements/upload'

/** What is read of a statement: bookings by day and what was spent, problems by line. */
function read(source: string | Uint8Array, mapping = {}) {
  const statement = openStatement(bytesSource(typeof source === 'string' ? new TextEncoder().encode(source) : source), mapping)
  const entries = [...statement.entries()]
  return {
    ...statement,
    bookings: entries.flatMap((entry) => (entry.kind === 'booking' ? [entry] : [])),
    spent: entries.flatMap((entry) => (entry.kind === 'booking' ? [`${entry.day} ${entry.amount} ${entry.text}`] : [])),
    leftOut: entries.flatMap((entry) => (entry.kind === 'left_out' ? [`${entry.line}: ${entry.reason}`] : [])),
    problems: entries.flatMap((entry) => (entry.kind === 'problem' ? [`${entry.line}: ${wordReason('en', entry.reason)}`] : [])),
  }
}

const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return new Uint8Array(isBig ? bytes.swap16() : bytes)
}

describe('OFX', () => {
  const sgml = ofxOf([
    { day: '2026-03-04', amount: '-42.50', name: 'PADARIA &amp; CAF\u00C9', id: 'A1' },
    { day: '2026-03-05', amount: '12,30', name: 'ESTORNO', id: 'A2', type: 'CREDIT' },
  ])

  test('1 and 2 say the same, in any encoding', () => {
    const due = ['2026-03-04 42.50 PADARIA & CAFÉ', '2026-03-05 -12.30 ESTORNO']
    const xml = `<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX><CURDEF>BRL</CURDEF><STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260304</DTPOSTED><TRNAMT>-42.50</TRNAMT><FITID>A1</FITID><NAME>PADARIA &amp; CAFÉ</NAME></STMTTRN><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20260305</DTPOSTED><TRNAMT>12,30</TRNAMT><FITID>A2</FITID><NAME>ESTORNO</NAME></STMTTRN></OFX>`
    for (const source of [sgml, xml, new Uint8Array(Buffer.from(sgml, 'latin1')), utf16(sgml), utf16(xml, true), `\uFEFF${sgml}`])
      expect(read(source)).toMatchObject({ format: 'ofx', spent: due, problems: [] })
  })

  test('with charges as positive amounts is recognised by their kind', () => {
    const bookings = read(sgml.replace('-42.50', '42.50').replace('12,30', '-12,30'))
    expect(bookings.spent).toEqual(['2026-03-04 42.50 PADARIA & CAFÉ', '2026-03-05 -12.30 ESTORNO'])
  })

  test('that is cut off gives what is whole and names the line of what is not', () => {
    const cut = read(sgml.slice(0, sgml.indexOf('ESTORNO') - 10))
    expect(cut.spent).toHaveLength(1)
    expect(cut.problems).toEqual([expect.stringMatching(/^\d+: the file ends within this booking$/)])
  })

  test('keeps the currency and the rate of what was paid abroad', () => {
    const abroad = sgml.replace('<FITID>A1', '<ORIGCURRENCY><CURRATE>5.4321<CURSYM>USD</ORIGCURRENCY><FITID>A1')
    expect(read(abroad).bookings[0]).toMatchObject({ currency: 'BRL', original: { currency: 'USD', rate: '5.4321' } })
  })
})

test('CAMT gives entries, the transactions of batches, and amounts abroad; pending ones are named', () => {
  const entry = (inside: string) => `<Ntry>${inside}</Ntry>`
  const xml = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
${entry('<Amt Ccy="EUR">42.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-04</Dt></BookgDt><AcctSvcrRef>R1</AcctSvcrRef><NtryDtls><TxDtls><AmtDtls><InstdAmt><Amt Ccy="USD">46.00</Amt></InstdAmt></AmtDtls><RltdPties><Cdtr><Nm>Casa Lima</Nm></Cdtr></RltdPties></TxDtls></NtryDtls>')}
${entry('<Amt Ccy="EUR">9.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-03-05T10:00:00</DtTm></BookgDt><AddtlNtryInf>Refund</AddtlNtryInf>')}
${entry('<Amt Ccy="EUR">3.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-03-06</Dt></BookgDt><NtryDtls><TxDtls><Refs><TxId>T1</TxId></Refs><Amt Ccy="EUR">1.00</Amt></TxDtls><TxDtls><Refs><TxId>T2</TxId></Refs><Amt Ccy="EUR">2.00</Amt></TxDtls></NtryDtls>')}
${entry('<Amt Ccy="EUR">7.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2026-03-07</Dt></BookgDt>')}
</Stmt></BkToCstmrStmt></Document>`
  const { format, bookings, problems, leftOut } = read(xml)
  expect(format).toBe('camt')
  expect(bookings.map(({ day, amount, reference }) => [day, amount, reference])).toEqual([
    ['2026-03-04', '42.50', 'R1'],
    ['2026-03-05', '-9.00', null],
    ['2026-03-06', '1.00', 'T1'],
    ['2026-03-06', '2.00', 'T2'],
  ])
  expect(bookings[0]?.original).toMatchObject({ amount: '46.00', currency: 'USD' })
  expect(problems).toEqual([])
  expect(leftOut).toEqual(['5: pending'])
})

test('QIF is read with years of two digits, splits and either order of days', () => {
  const qif = "!Type:CCard\nD3/25'26\nT-1,042.50\nPHotel\nSLodging\n$-1,000.00\n^\nD03/26/26\nT12.00\nPRefund\n^\nD3/27'26\nT-1.00"
  const { spent, problems } = read(qif)
  expect(spent).toEqual(['2026-03-25 1042.50 Hotel', '2026-03-26 -12.00 Refund'])
  expect(problems).toEqual(['12: the file ends within this booking'])
  expect(read('!Type:CCard\nD03/04/26\nT-5.00\nPCafe\n^\n').undecided).toMatchObject([{ code: 'statement_days' }])
  expect(read('!Type:CCard\nD03/04/26\nT-5.00\nPCafe\n^\n', { date_order: 'dmy' }).spent).toEqual(['2026-04-03 5.00 Cafe'])
})

describe('CSV', () => {
  test.each([
    [
      'Data;Estabelecimento;Valor\n04/03/2026;Padaria;1.042,50\n05/03/2026;Estorno;-3,00\n06/03/2026;Café;2,00',
      ['1042.50', '-3.00', '2.00'],
    ],
    ['Date,Description,Amount\n2026-03-04,Bakery,-1042.50\n2026-03-05,Refund,3.00\n2026-03-06,Cafe,-2.00', ['1042.50', '-3.00', '2.00']],
    [
      'Date,Description,Debit,Credit\n2026-03-04,Bakery,1042.50,\n2026-03-05,Refund,,3.00\n2026-03-06,Cafe,2.00,',
      ['1042.50', '-3.00', '2.00'],
    ],
    [
      'Data\tHistórico\tValor (R$)\n04/03/26\tPadaria\tR$ 1.042,50\n15/03/26\tEstorno\t(3,00)\n16/03/26\tCafé\tR$ 2,00',
      ['1042.50', '-3.00', '2.00'],
    ],
    ['2026-03-04;Padaria;1042,50\n2026-03-05;Estorno;-3,00\n2026-03-06;Café;2,00', ['1042.50', '-3.00', '2.00']],
  ])('%j', (text, amounts) => {
    for (const source of [text, new Uint8Array(Buffer.from(text, 'latin1')), `\uFEFF${text}`]) {
      const { bookings, problems, undecided } = read(source)
      expect({ amounts: bookings.map(({ amount }) => amount), problems, undecided }).toEqual({ amounts, problems: [], undecided: [] })
    }
  })

  test('what a person says of it wins, and what cannot be told is asked', () => {
    const text = 'A,B,C\n03/04/2026,Bakery,5.00\n05/06/2026,Cafe,6.00'
    expect(read(text).undecided).toMatchObject([{ code: 'statement_days', column: 'A' }])
    expect(read(text, { date_order: 'mdy', spent: 'negative' }).spent).toEqual(['2026-03-04 -5.00 Bakery', '2026-05-06 -6.00 Cafe'])
  })
})

test('amounts are exact in every format', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 1, maxLength: 20 }), (sums) => {
      const texts = sums.map((sum) => fromMinor(sum, 'BRL').toFixed(2))
      const ofx = ofxOf(texts.map((text) => ({ day: '2026-03-04', amount: `-${text}`, name: 'X' })))
      const csv = ['Date;Text;Amount', ...texts.map((text) => `2026-03-04;Cafe;${text.replace('.', ',')}`)].join('\n')
      const qif = ['!Type:CCard', ...texts.flatMap((text) => [`D2026-03-04`, `T-${text}`, 'PX', '^'])].join('\n')
      for (const source of [ofx, csv, qif]) expect(read(source).bookings.map(({ amount }) => amount)).toEqual(texts)
    }),
    { numRuns: 100 },
  )
})

test('a hundred thousand lines are read, and any bytes are refused or read, never worse', () => {
  const bookings = Array.from({ length: 100_000 }, (_, index) => ({
    day: '2026-03-04',
    amount: `-${index + 1}.00`,
    name: 'X',
    id: String(index),
  }))
  expect(read(ofxOf(bookings)).bookings).toHaveLength(100_000)
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('', '<OFX><STMTTRN>', '!Type:CCard\n', '<BkToCstmrStmt><Ntry>', 'Date;Amount\n'),
      (bytes, head) => {
        try {
          read(new Uint8Array([...new TextEncoder().encode(head), ...bytes]))
        } catch (error) {
          expect(error).toMatchObject({ reasons: expect.any(Array) })
        }
      },
    ),
    { numRuns: 500 },
  )
})
