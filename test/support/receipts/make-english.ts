import { anyDay, anyTime, buy, print, printDay, sumOf } from '#test/support/receipts/common'
import { type Dice, Paper, type Receipt } from '#test/support/receipts/receipt'
import { english } from '#test/support/receipts/words'

/** A receipt as shops in English-speaking and Malaysian places print them. */
export function makeEnglish(dice: Dice): Receipt {
  const paper = new Paper(dice.whole(34, 48))
  const currency = dice.one(['MYR', 'MYR', 'MYR', 'GBP', 'USD', 'EUR'] as const)
  const sign = { MYR: 'RM', GBP: '£', USD: '$', EUR: '€' }[currency]
  const supplier_name = [dice.one(english.names), dice.one(english.trades), dice.one(english.ends)].join(' ').trim()
  const day = anyDay(dice)
  const document = `${dice.one(['INV', 'CS', 'TD', 'OR', ''])}${dice.digits(dice.whole(5, 8))}`
  header(paper, dice, supplier_name)
  meta(paper, dice, { day: printDayOf(dice, day, currency), document })
  const total = amounts(paper, dice, { sign, currency })
  if (dice.chance(0.7))
    for (const text of ['THANK YOU', 'GOODS SOLD ARE NOT RETURNABLE', 'PLEASE COME AGAIN'].slice(0, dice.whole(1, 3))) paper.centre(text)
  otherDays(paper, dice, day)
  const truth = { date: day, total, currency, supplier_name, supplier_tax_id: null, document_number: document }
  return { rows: paper.rows, columns: paper.columns, truth }
}

function printDayOf(dice: Dice, day: string, currency: string): string {
  if (currency === 'USD') return printDay(day, dice.one(['us', 'named', 'us']))
  return printDay(day, dice.one(['slash', 'slash', 'dash', 'short', 'named', 'joined', 'iso', 'dot', 'slash']))
}

/** Days that are not that of the purchase: when it was printed, until when something is valid. */
function otherDays(paper: Paper, dice: Dice, day: string): void {
  const later = (days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
  const print = (some: string) => printDay(some, dice.one(['slash', 'dash', 'short', 'named', 'dot']))
  const time = anyTime(dice, { isHalf: dice.chance(0.5) })
  if (dice.chance(0.15))
    paper.left(
      `${dice.one(['Closed:', 'Closed', 'PRN ON :', 'Printed :', 'Print Date', 'Closed Bill'])} ${print(later(dice.one([0, 0, 1])))} ${time}`,
    )
  if (dice.chance(0.1))
    paper.left(
      `${dice.one(['Card Expiry:', 'Expiry Date', 'Valid until', 'Valid till', 'Exp:', 'Warranty until'])} ${print(later(dice.whole(20, 900)))}`,
    )
  if (dice.chance(0.08)) paper.left(`${dice.one(['Member since', 'Last visit', 'Join date'])} ${print(later(-dice.whole(10, 900)))}`)
  if (dice.chance(0.08)) {
    const second = Math.round(paper.columns * 0.5)
    paper.cells([
      ['Points Expiry', 0],
      [dice.digits(2), second],
      [print(later(dice.whole(100, 500))), paper.columns],
    ])
    paper.cells([
      ['', 0],
      [dice.digits(3), second],
      [print(later(dice.whole(500, 900))), paper.columns],
    ])
  }
  if (dice.chance(0.06))
    paper.centre(`${print(later(-dice.whole(3, 90)))} ${dice.one(['-', 'to', '- '])} ${print(later(dice.whole(3, 90)))}`)
  if (dice.chance(0.15)) paper.left(`${print(day)} ${time}`)
}

function header(paper: Paper, dice: Dice, name: string): void {
  if (dice.chance(0.1)) paper.left('tan woon yann')
  paper.centre(name, dice.chance(0.5) ? 1.4 : 1)
  if (dice.chance(0.6)) paper.centre(`(${dice.digits(6)}-${dice.one(['W', 'X', 'T', 'K'])})`)
  paper.centre(dice.one(english.streets))
  paper.centre(dice.one(english.towns))
  if (dice.chance(0.7)) paper.centre(`TEL: 0${dice.digits(1)}-${dice.digits(7)}`)
  if (dice.chance(0.6)) paper.centre(`GST ID : 00${dice.digits(10)}`)
  paper.gap()
  if (dice.chance(0.7)) paper.centre(dice.one(['TAX INVOICE', 'CASH BILL', 'SIMPLIFIED TAX INVOICE', 'RECEIPT', 'INVOICE']), 1.2)
}

function meta(paper: Paper, dice: Dice, { day, document }: { day: string; document: string }): void {
  const time = anyTime(dice, { isHalf: dice.chance(0.5) })
  const when = dice.chance(0.6) ? `${day}${dice.chance(0.1) ? '' : ' '}${time}` : day
  const rows = [
    () =>
      paper.left(`${dice.one(['Invoice No', 'Bill No', 'Receipt #', 'Document No', 'Doc No.'])} ${dice.one([':', ': ', ''])} ${document}`),
    () =>
      dice.chance(0.75)
        ? paper.left(`${dice.one(['Date', 'DATE', 'Date/Time', 'Bill Date', 'Invoice Date'])} ${dice.one([':', ': ', ''])} ${when}`)
        : paper.left(when),
    () => paper.left(`Cashier : ${dice.one(['MANIS', 'ADMIN', 'USER 1', 'LIM'])}`),
    () => paper.left(`Counter: ${dice.whole(1, 9)}  Table: ${dice.whole(1, 40)}`),
  ]
  for (const row of rows.filter((_, at) => at < 2 || dice.chance(0.5)).sort(() => dice.next() - 0.5)) row()
  paper.left('-'.repeat(paper.columns))
}

function amounts(paper: Paper, dice: Dice, { sign, currency }: { sign: string; currency: string }): number {
  const p = (minor: number) => print(minor, '.', dice.chance(0.85))
  const signed = (minor: number) => `${dice.chance(0.35) ? `${sign}${dice.one(['', ' '])}` : ''}${p(minor)}`
  const bought = buy(dice, english.items, currency === 'MYR' && dice.chance(0.6) ? 5 : 1)
  if (dice.chance(0.6))
    paper.cells([
      ['QTY', 0],
      ['PRICE', Math.round(paper.columns * 0.65)],
      [`AMOUNT${dice.chance(0.4) ? `(${sign})` : ''}`, paper.columns],
    ])
  const isTwoRows = dice.chance(0.5)
  for (const { name, quantity, price, sum } of bought) {
    if (isTwoRows) {
      paper.left(name)
      paper.cells([
        [`${quantity} ${dice.one(['X', 'x', '@', 'PC'])} ${p(price)}`, 0],
        [`${p(sum)}${dice.chance(0.3) ? ' SR' : ''}`, paper.columns],
      ])
    } else
      paper.cells([
        [`${quantity} ${name}`.slice(0, Math.round(paper.columns * 0.55)), 0],
        ...(dice.chance(0.5) ? [[p(price), Math.round(paper.columns * 0.75)] as const] : []),
        [p(sum), paper.columns],
      ])
  }
  paper.left('-'.repeat(paper.columns))
  const sum = sumOf(bought)
  const discount = dice.chance(0.15) ? Math.round(sum * 0.1) : 0
  const service = dice.chance(0.15) ? Math.round((sum - discount) * 0.1) : 0
  const isTaxed = dice.chance(0.65)
  const isIncluded = isTaxed && dice.chance(0.55)
  const base = sum - discount + service
  const tax = isTaxed ? (isIncluded ? base - Math.round(base / 1.06) : Math.round(base * 0.06)) : 0
  if (dice.chance(0.06)) return supplies(paper, dice, sum)
  if (dice.chance(0.04)) return ticket(paper, dice, { sum, sign })
  const exact = isIncluded ? base : base + tax
  const isRounding = currency === 'MYR' && dice.chance(0.6)
  const total = isRounding ? Math.round(exact / 5) * 5 : exact
  totals(paper, dice, {
    sum,
    discount,
    service,
    tax,
    isIncluded,
    exact,
    isRounding,
    total,
    signed,
    p,
    sign,
    count: bought.reduce((all, one) => all + one.quantity, 0),
  })
  return total
}

interface Totals {
  readonly sum: number
  readonly discount: number
  readonly service: number
  readonly tax: number
  readonly isIncluded: boolean
  readonly exact: number
  readonly isRounding: boolean
  readonly total: number
  readonly count: number
  readonly sign: string
  readonly signed: (minor: number) => string
  readonly p: (minor: number) => string
}

function totals(paper: Paper, dice: Dice, all: Totals): void {
  const { sum, discount, service, tax, isIncluded, exact, isRounding, total, signed, p, sign, count } = all
  const colon = dice.one([':', '', ' :', ''])
  const at = dice.chance(0.3) ? Math.round(paper.columns * 0.85) : paper.columns
  const pair = (label: string, value: string, size = 1) =>
    paper.pair(`${' '.repeat(dice.chance(0.3) ? 6 : 0)}${label}${colon}`, value, { size, at })
  if (dice.chance(0.3))
    pair(dice.one(['Total Qty', 'No. of Items', 'Item Count', 'TOTAL ITEMS']), dice.chance(0.5) ? String(count) : `${count}.00`)
  if (discount + service > 0 || (tax > 0 && !isIncluded) || dice.chance(0.35))
    pair(dice.one(['Sub Total', 'SUBTOTAL', 'Subtotal', 'Sub-Total', 'TOTAL BEFORE DISC']), signed(sum))
  if (discount > 0) pair(dice.one(['Discount', 'Total Discount', 'DISC 10%', 'Less Discount']), dice.one([`-${p(discount)}`, p(discount)]))
  else if (dice.chance(0.15)) pair('Discount', '0.00')
  if (service > 0) pair(dice.one(['Service Charge 10%', 'SVC CHG 10%']), signed(service))
  const excluding = exact - tax
  if (tax > 0 && dice.chance(0.4))
    pair(dice.one(['Total Excluding GST', 'Total Sales (Excluding GST)', 'Total Excl. GST', 'Amount before tax']), signed(excluding))
  if (tax > 0 && !(isIncluded && dice.chance(0.5)))
    pair(dice.one(['GST 6%', 'Total GST', 'GST @6%', 'Tax', 'VAT', 'Sales Tax', 'GST Amt']), signed(tax))
  const incl = dice.one([
    'Total Inclusive of GST',
    'Total Sales (Inclusive of GST)',
    'Total Incl. GST',
    'Total Amount With GST',
    'TOTAL INCL GST @ 6%',
  ])
  const plain = dice.one([
    'TOTAL',
    'Total',
    `TOTAL (${sign})`,
    'Total Amount',
    'Grand Total',
    'GRAND TOTAL',
    `Total ${sign}`,
    'Amount Due',
    'NETT TOTAL',
    'Net Total',
    'Total Sales',
    'Total Payable',
    'BALANCE DUE',
    'Due',
    'Nett',
    'Total Amt Payable',
    'Bill Total',
    'Total Bill',
    'TTL',
    'Amount Payable',
    'Nett Amount',
    'Total Due',
    'Invoice Total',
    'Net Amt',
    'TL',
  ])
  const size = dice.chance(0.3) ? 1.5 : 1
  if (isRounding) {
    pair(tax > 0 && dice.chance(0.5) ? incl : dice.one(['Total', 'TOTAL', 'Total Sales', 'Total Amount']), signed(exact))
    pair(
      dice.one(['Rounding', 'Rounding Adjustment', 'Rounding Adj', 'ROUND ADJ', 'Rounding Adj.']),
      dice.one([p(total - exact), print(total - exact, '.')]),
    )
    pair(
      dice.one(['Rounded Total', 'Rounded Total (RM)', 'Total Rounded', plain, 'Total After Rounding', 'NET TOTAL']),
      signed(total),
      size,
    )
  } else if (tax > 0 && dice.chance(0.4)) pair(incl, signed(total), size)
  else if (dice.chance(0.08)) {
    paper.left(plain, size)
    paper.cells([
      ['', 0],
      [signed(total), paper.columns],
    ])
  } else pair(plain, signed(total), size)
  payment(paper, dice, { total, pair, signed, p })
  if (tax > 0 && dice.chance(0.55)) summary(paper, dice, { excluding, tax, sign, p })
}

/** What bakeries print for what they take back: supplies by tax, the returned ones below zero, and what is left to pay. Returns that. */
function supplies(paper: Paper, dice: Dice, sold: number): number {
  const p = (minor: number) => print(minor, '.')
  const returned = Math.round(sold * dice.next() * 0.5)
  const tax = Math.round(returned * 0.06)
  const rows = [
    ['Total 0% supplies:', sold],
    ['Total 6% supplies (excl. GST):', -returned],
    ['GST:', -tax],
    ['Total 6% supplies (Inc. GST):', -returned - tax],
    ['Total 0% supplies:', sold],
  ] as const
  for (const [label, amount] of rows) paper.pair(label, p(amount))
  const total = sold - returned - tax
  paper.pair(dice.one(['Total Payable:', 'Total Payable', 'Nett Payable:']), p(total))
  return total
}

/** What machines for parking print: what it costs with its tax, what was put in, and what came out. Returns the first. */
function ticket(paper: Paper, dice: Dice, { sum, sign }: { sum: number; sign: string }): number {
  const price = Math.max(100, Math.round(sum / 1000) * 100)
  const given = price * dice.one([1, 2, 2, 5])
  const tax = price - Math.round(price / 1.06)
  const rows = [
    [dice.one(['Amount Incl. GST', 'Parking Fee', 'Amount Incl GST', 'Total']), price],
    [dice.one(['Accepted total', 'Paid', 'Inserted']), given],
    ['Change', given - price],
    ['GST 6%', tax],
  ] as const
  for (const [label, amount] of rows) paper.pair(label, `${print(amount, '.')} ${sign}`)
  return price
}

function payment(
  paper: Paper,
  dice: Dice,
  { total, pair, signed, p }: Pick<Totals, 'total' | 'signed' | 'p'> & { pair: (label: string, value: string) => void },
): void {
  if (dice.chance(0.2)) return
  if (dice.chance(0.35)) return pair(dice.one(['VISA', 'MASTER', 'Master Card', 'CREDIT CARD', 'Card', 'VISA CARD']), signed(total))
  const isExact = dice.chance(0.25)
  const notes = [100, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000]
  const given = isExact ? total : (notes.find((note) => note >= total && dice.chance(0.6)) ?? Math.ceil(total / 1000) * 1000)
  pair(
    dice.one([
      'CASH',
      'Cash',
      'Cash Tendered',
      'Tendered',
      'Amount Received',
      'PAYMENT',
      'Payment',
      'Paid Amount',
      'Pay',
      'Cash Received',
      'Paid',
      'Accepted',
      'Bayar',
    ]),
    dice.chance(0.1) ? `-${p(given)}` : signed(given),
  )
  if (!isExact || dice.chance(0.7))
    pair(dice.one(['CHANGE', 'Change', 'Change Due', 'BALANCE', 'CASH CHANGE', 'Baki']), signed(given - total))
  if (dice.chance(0.1)) paper.left('E.& O.E.')
}

function summary(
  paper: Paper,
  dice: Dice,
  { excluding, tax, sign, p }: { excluding: number; tax: number; sign: string; p: (minor: number) => string },
): void {
  const second = Math.round(paper.columns * 0.7)
  paper.gap()
  paper.cells([
    [dice.one(['GST Summary', 'GST SUMMARY', 'Tax Analysis', 'Tax Code']), 0],
    [`Amount(${sign})`, second],
    [dice.one([`Tax(${sign})`, `GST(${sign})`]), paper.columns],
  ])
  paper.cells([
    [dice.one(['SR @ 6%', 'S = 6%', 'SR 6%', 'Z 0%']), 0],
    [p(excluding), second],
    [p(tax), paper.columns],
  ])
  if (dice.chance(0.5))
    paper.cells([
      [dice.one(['Total', 'TOTAL', 'Total :']), 0],
      [p(excluding), second],
      [p(tax), paper.columns],
    ])
}
