import { Dice, Paper, type Receipt } from '#test/support/receipts/receipt'
import { type ReceiptWords, type WorldCountry, wordsOfLanguage, worldCountries } from '#test/support/receipts/world-countries'

/** The kinds of receipts of the world. */
export const worldLayouts = ['thermal', 'hotel', 'invoice', 'ride', 'parking', 'fuel', 'toll', 'tip', 'refund', 'handwritten'] as const
export type WorldLayout = (typeof worldLayouts)[number]

/** A receipt of the world. */
export interface WorldReceipt extends Receipt {
  readonly country: string
  readonly layout: WorldLayout
}

/** What a receipt is printed with. */
interface Press {
  readonly dice: Dice
  readonly paper: Paper
  readonly words: ReceiptWords
  readonly country: WorldCountry
  readonly label: string
  /** Prints an amount with its sign, and without. */
  readonly money: (minor: number) => string
  readonly bare: (minor: number) => string
  /** What can be printed of a share: whole ones where decimals are not printed. */
  readonly rounded: (minor: number) => number
  readonly price: (low: number, high: number) => number
}

/** A receipt of the world; the same for the same seed. Seeds count through the layouts and the countries. */
export function makeWorld(seed: number): WorldReceipt {
  const dice = new Dice(seed * 13 + 5)
  const layout = worldLayouts[seed % worldLayouts.length] ?? 'thermal'
  const country = worldCountries[Math.floor(seed / worldLayouts.length) % worldCountries.length]
  if (!country) throw new Error('No country')
  const press = pressOf(country, dice)
  const { paper, words } = press
  const supplier_name = `${dice.one(['Aurora', 'Central', 'Blue Harbour', 'Nova', 'Park', 'Sol', 'Linde', 'Atlas'])} ${dice.one(['Hotel', 'Market', 'Cafe', 'Taxi', 'Station', 'Store'])}`
  const date = new Date(Date.UTC(2026, dice.whole(0, 10), dice.whole(1, 28))).toISOString().slice(0, 10)
  head(press, supplier_name)
  const document_number = dice.digits(6)
  paper.left(`${layout === 'invoice' ? words('invoice')[0] : words('receipt')[0]} ${dice.one(['No.', '#', 'Nr.'])} ${document_number}`)
  when(press, date)
  const total = layouts[layout](press)
  if (dice.chance(0.6)) paper.centre(words('thanks')[0])
  if (dice.chance(0.3)) paper.centre(`www.${supplier_name.toLowerCase().replaceAll(' ', '')}.${country.domain}`)
  const truth = { date, total, currency: country.currency, supplier_name, supplier_tax_id: null, document_number }
  return { rows: paper.rows, columns: paper.columns, truth, country: country.code, layout }
}

function pressOf(country: WorldCountry, dice: Dice): Press {
  const { decimals, point, group, isWhole } = country
  const unit = 10 ** decimals
  const step = isWhole ? unit * 5 : country.currency === 'CHF' ? 5 : 1
  const sign = dice.one(country.signs)
  const rate =
    { CLP: 9, JPY: 1.5, KWD: 3, HUF: 300 }[country.currency] ??
    (['SEK', 'NOK', 'DKK', 'INR', 'ZAR', 'MXN'].includes(country.currency) ? 10 : 1)
  const bare = (minor: number) => {
    const whole = String(Math.floor(Math.abs(minor) / unit)).replaceAll(/\B(?=(\d{3})+$)/g, group)
    const rest = decimals === 0 || isWhole ? '' : point + String(Math.abs(minor) % unit).padStart(decimals, '0')
    return `${minor < 0 ? '-' : ''}${whole}${rest}`
  }
  return {
    ...{
      dice,
      country,
      bare,
      rounded: (minor: number) => (isWhole ? Math.round(minor / unit) * unit : Math.round(minor)),
      paper: new Paper(dice.whole(36, 46)),
      words: wordsOfLanguage(country.language),
      label: dice.one(wordsOfLanguage(country.language)('total')),
    },
    money: (minor) => sign.replace('#', bare(minor)),
    price: (low, high) =>
      Math.max(step, Math.round((dice.whole(low, high) * rate * (decimals === 3 ? 1 : decimals === 0 ? 0.7 : 1)) / step) * step),
  }
}

function head({ paper, dice, country }: Press, name: string): void {
  paper.centre(name, dice.chance(0.5) ? 1.3 : 1)
  paper.centre(dice.one(['Main Street 12', 'Avenue 5', 'Plaza 1']))
  if (dice.chance(0.85)) paper.centre(country.town)
  if (dice.chance(0.8)) paper.centre(country.telephone.replaceAll('9', () => dice.digits(1)))
  if (dice.chance(0.85)) paper.centre(country.taxNumber(dice))
}

function when({ paper, dice, words, country }: Press, day: string): void {
  const [year = '', month = '', date = ''] = day.split('-')
  const name = new Intl.DateTimeFormat(country.language, { month: 'short', timeZone: 'UTC' }).format(new Date(day))
  const parts: Record<string, string> = { y: year, m: month, d: date, s: year.slice(2), N: name }
  const text = dice.one(country.days).replaceAll(/[ymdsN]/g, (part) => parts[part] ?? '')
  const time = `${String(dice.whole(7, 22)).padStart(2, '0')}:${String(dice.whole(0, 59)).padStart(2, '0')}`
  if (dice.chance(0.5)) paper.left(`${words('date')[0]}: ${text} ${time}`)
  else paper.pair(text, time)
}

/** Items with their sum. */
function items({ paper, dice, words, bare, price }: Press, count: number): number {
  let sum = 0
  for (let at = 0; at < count; at += 1) {
    const one = price(150, 4_500)
    sum += one
    paper.pair(`${dice.chance(0.4) ? '1 x ' : ''}${dice.one(words('items'))}`, bare(one))
  }
  return sum
}

function paid({ paper, dice, words, bare, money, price }: Press, total: number): void {
  if (dice.chance(0.5)) {
    paper.pair(words('card')[0], money(total))
    if (dice.chance(0.6)) paper.left(`**** **** **** ${dice.digits(4)}  AID A0000000${dice.digits(4)}`)
  } else if (dice.chance(0.7)) {
    const given = total + price(50, 2_000)
    paper.pair(words('cash')[0], bare(given))
    paper.pair(words('change')[0], bare(given - total))
  }
}

const layouts: Readonly<Record<WorldLayout, (press: Press) => number>> = {
  thermal: (press) => {
    const { paper, dice, words, money, bare, label, country } = press
    const sum = items(press, dice.chance(0.15) ? dice.whole(30, 58) : dice.whole(1, 9))
    const off = dice.chance(0.2) ? Math.round(sum / 10) : 0
    const total = country.isWhole || country.currency === 'CHF' ? sum : sum - off
    if (total !== sum) {
      paper.pair(words('sub')[0], bare(sum))
      paper.pair(words('discount')[0], bare(-off))
    }
    paper.pair(label, money(total), { size: 1.3 })
    paid(press, total)
    if (dice.chance(0.5)) paper.pair(country.tax, bare(Math.round(total / 11)))
    return total
  },
  hotel: (press) => {
    const { paper, dice, words, money, bare, label, price } = press
    const [night, count] = [price(6_000, 22_000), dice.whole(1, 4)]
    paper.left(`${words('room')[0]} ${dice.digits(3)}   ${count} ${words('night')[0]}`)
    for (let at = 0; at < count; at += 1) paper.pair(`${words('room')[0]}`, bare(night))
    const tax = price(300, 900)
    paper.pair(press.country.tax.replace(/ .*/, ''), bare(tax))
    const total = night * count + tax
    paper.pair(label, money(total))
    paper.pair(words('card')[0], bare(-total))
    paper.pair(dice.one(['Balance', 'Saldo']), bare(0))
    return total
  },
  invoice: (press) => {
    const { paper, dice, words, money, bare, label, country, rounded } = press
    const sum = items(press, dice.whole(1, 6))
    const tax = rounded(sum / 5)
    paper.pair(words('sub')[0], bare(sum))
    paper.pair(country.tax, bare(tax))
    const total = sum + tax
    paper.pair(label, money(total))
    if (dice.chance(0.3)) {
      paper.pair(words('due')[0], money(total))
    }
    return total
  },
  ride: (press) => {
    const { paper, dice, words, money, bare, label, price } = press
    const [fare, fee] = [price(600, 3_500), price(50, 200)]
    if (dice.chance(0.5)) paper.pair(label, money(fare + fee), { size: 1.4 })
    paper.left(`${dice.whole(2, 30)}.${dice.digits(1)} km   ${dice.whole(5, 50)} min`)
    paper.pair(words('fare')[0], bare(fare))
    paper.pair('Service', bare(fee))
    paper.pair(label, money(fare + fee))
    paper.pair(`${words('card')[0]} ****${dice.digits(4)}`, money(fare + fee))
    return fare + fee
  },
  parking: (press) => {
    const { paper, dice, words, money, label, price } = press
    const total = price(200, 2_500)
    paper.left(words('parking')[0])
    paper.pair('In', `${dice.whole(7, 11)}:${dice.whole(10, 59)}`)
    paper.pair('Out', `${dice.whole(12, 22)}:${dice.whole(10, 59)}`)
    paper.pair(label, money(total))
    paid(press, total)
    return total
  },
  fuel: (press) => {
    const { paper, dice, words, money, label, bare, price, country } = press
    const total = price(3_000, 9_000)
    paper.left(`${words('fuel')[0]}  ${dice.chance(0.5) ? 'Pump' : '#'} ${dice.whole(1, 9)}`)
    const litres = dice.whole(1_500, 6_000)
    paper.pair(words('litres')[0], `${Math.floor(litres / 100)}${country.point}${String(litres % 100).padStart(2, '0')}`)
    paper.pair(label, money(total), { size: 1.3 })
    if (dice.chance(0.5)) paper.pair(country.tax, bare(Math.round(total / 6)))
    paid(press, total)
    return total
  },
  toll: ({ paper, dice, words, money, label, price }) => {
    const total = price(100, 2_500)
    paper.left(`${words('toll')[0]} A${dice.whole(1, 9)}  Km ${dice.whole(10, 400)}`)
    paper.left(`Class ${dice.whole(1, 4)}`)
    paper.pair(label, money(total))
    return total
  },
  tip: (press) => {
    const { paper, dice, words, money, bare, label, country, rounded } = press
    paper.left(`${words('table')[0]} ${dice.whole(1, 40)}`)
    const sum = items(press, dice.whole(2, 7))
    const tax = rounded(sum / 12)
    paper.pair(words('sub')[0], bare(sum))
    paper.pair(country.tax, bare(tax))
    paper.pair(label, money(sum + tax))
    if (dice.chance(0.4)) {
      paper.pair(words('tip')[0], '________')
      paper.pair(label, '________')
      return sum + tax
    }
    const tip = country.isWhole ? 50_000 : Math.round((sum + tax) / 6)
    paper.pair(words('tip')[0], bare(tip))
    paper.pair(dice.one(words('total')), money(sum + tax + tip))
    return sum + tax + tip
  },
  refund: (press) => {
    const { paper, dice, words, money, label } = press
    paper.centre(words('refund')[0].toUpperCase())
    const total = items(press, dice.whole(1, 3))
    paper.pair(label, money(-total))
    paper.pair(words('card')[0], money(-total))
    return total
  },
  handwritten: ({ paper, dice, words, money, label, price }) => {
    const total = price(500, 9_000)
    paper.left(`${words('receipt')[0]}: ${dice.one(words('items'))}`)
    paper.left(`${label} ${money(total)}`)
    return total
  },
}
