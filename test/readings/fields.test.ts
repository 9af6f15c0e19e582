import { expect, test } from 'vitest'
import { readFields } from '#shared/readings/read-fields'
import type { TextLine } from '#shared/readings/text-line'

/** A receipt's text: each row with its pieces, the last one at the right. */
function linesOf(rows: ReadonlyArray<readonly string[]>): TextLine[] {
  return rows.flatMap((pieces, row) =>
    pieces.map((text, at) => {
      const level = { x: at / pieces.length, y: row / rows.length, width: 0.9 / pieces.length, height: 0.8 / rows.length }
      return { text, confidence: 0.98, starts: [...text].map((_, sign) => sign / text.length), place: { page: 0, ...level }, level }
    }),
  )
}

const head = [['SUNRISE BAKERY SDN BHD'], ['12 HIGH STREET'], ['TEL: 03-5551234']]

/** What is read of the rows below a head: the likeliest value of a field. */
const best = (field: 'total' | 'date', rows: ReadonlyArray<readonly string[]>) =>
  readFields(linesOf([...head, ...rows]), 'pixels').find((reading) => reading.field === field)?.value

test.each([
  [
    'what is left to pay after returned goods',
    '1575',
    [
      ['BREAD', '20.00'],
      ['Total 0% supplies:', '20.00'],
      ['ROLLS', '-4.01'],
      ['Total 6% supplies (excl. GST):', '-4.01'],
      ['GST:', '-0.24'],
      ['Total 6% supplies (Inc. GST):', '-4.25'],
      ['Total 0% supplies:', '20.00'],
      ['Total Payable:', '15.75'],
    ],
  ],
  [
    'the rounded total, where the rounding has no digit before its point',
    '2245',
    [
      ['COFFEE', 'RM22.44'],
      ['Total Sales (Inclusive GST)', '22.44'],
      ['Rounding Adj', '.01'],
      ['Rounded Total', '22.45'],
      ['CREDIT CARD', '22.45'],
    ],
  ],
  [
    'an amount whose digits were read apart',
    '685',
    [
      ['BUN', '3.05'],
      ['TEA', '3.78'],
      ['TOTAL', '6.8 5'],
      ['Cash', '20.00'],
      ['CHANGE', '13.15'],
    ],
  ],
  [
    'a total between a negative tender and its change',
    '965',
    [
      ['PAPER', '7.00'],
      ['PEN', '2.65'],
      ['Total Incl. of GST', '9.65'],
      ['Cash', '-50.00'],
      ['CHANGE', '40.35'],
    ],
  ],
  ['no time of day', '228', [['SOAP', '2.28'], ['TOTAL', '2.28'], ['17:45']]],
  [
    'not what an item and its subtotal come to together',
    '2500',
    [
      ['PASTRY', '25.00'],
      ['SubTotal', '25.00'],
      ['Nett Total', '25.00'],
      ['C', '50.00'],
    ],
  ],
  [
    'what parking costs, not what was put into the machine',
    '500',
    [
      ['Pay parking ticket', '5.00 RM'],
      ['Anount Incl. GST', '5.00 RM'],
      ['Accepted total', '10.00 RM'],
      ['Change', '5.00 RH'],
      ['GST 6%', '0.28 RH'],
    ],
  ],
  [
    'not the time of leaving',
    '300',
    [
      ['Entry Time', '30/04/2017(Sun)19:44'],
      ['Paid Tine', '30/04/2017 (Sun ) 23:14'],
      ['Park ing Time', '3:30'],
      ['Type', 'RateA', 'FM3.00'],
      ['GST(Inclunea)', '6.00 %', 'FD.17'],
      ['Total', 'M3.00'],
      ['crange', 'RM0.00'],
    ],
  ],
  [
    'what was given less the change, and net and tax, where one digit was misread',
    '2080',
    [
      ['SUGAR', '20.90 3'],
      ['Total Sales (Inclusive GST) RM', '20.90'],
      ['CASH RH', '21.00'],
      ['CHANGE RN', '.20'],
      ['GST Summary', 'Amount(RM)', 'Tax(RM)'],
      ['S=6%', '19.62', '1.18'],
    ],
  ],
  [
    'an amount that lost its point, where words say that it is one',
    '1160',
    [
      ['TEA', '580'],
      ['BUN', '580'],
      ['TOTAL', '11 60'],
      ['CASH', '2000'],
      ['CHANGE', '840'],
    ],
  ],
] as const)('the total is %s', (_what, total, rows) => {
  expect(best('total', [['05/03/2018 10:02'], ...rows])).toBe(total)
})

test.each([
  [
    'before the day until which points are valid',
    '2018-01-18',
    [['18-01-2018 15:44'], ['TEA', '4.00'], ['TOTAL', '4.00'], ['Points Expiry', '24', '31/10/2020'], ['136', '30/11/2020']],
  ],
  [
    'before the day when the table was closed',
    '2018-03-10',
    [['10-03-2018 23:03'], ['TEA', '4.00'], ['TOTAL', '4.00'], ['Closed:', '11-03-2018', '00:32']],
  ],
  ['not the end of a card', '2018-03-01', [['01/03/18 19:14'], ['TEA', '4.00'], ['TOTAL', '4.00'], ['Card Expiry: 30/09/18']]],
  [
    'with its whole year, where another was read in part',
    '2017-10-25',
    [['Date: 25/10/2017'], ['DD:25/10/20:7', '11:43'], ['TEA', '4.00'], ['TOTAL', '4.00']],
  ],
  [
    'not part of a longer number',
    '2018-06-24',
    [['Invoice No : SP3-01-148852'], ['Date', ':24/06/20184:37:37PM'], ['TEA', '4.00'], ['TOTAL', '4.00']],
  ],
  ['read though letters were taken for digits', '2018-03-15', [['Date: I5/O3/2018 15:41'], ['TEA', '4.00'], ['TOTAL', '4.00']]],
  [
    'read though the signs between its parts are lost or differ',
    '2018-03-15',
    [['Date: 15-03.2018'], ['15/032018'], ['TEA', '4.00'], ['TOTAL', '4.00']],
  ],
  ['of the only month that is like what was read', '2017-06-14', [['Date: 14/HUN/2017 08:34'], ['TEA', '4.00'], ['TOTAL', '4.00']]],
] as const)('the day is %s', (_what, day, rows) => {
  expect(best('date', rows)).toBe(day)
})
