import type { Dice } from '#test/support/receipts/receipt'

/** A line of what was bought; amounts in minor units. */
export interface Bought {
  readonly name: string
  readonly quantity: number
  readonly price: number
  readonly sum: number
}

/** Some things bought. */
export function buy(dice: Dice, names: readonly string[], step = 1): Bought[] {
  return Array.from({ length: dice.chance(0.25) ? 1 : dice.whole(1, 9) }, () => {
    const quantity = dice.chance(0.7) ? 1 : dice.whole(2, 6)
    const price = Math.max(step, Math.round((dice.chance(0.8) ? dice.whole(80, 6_000) : dice.whole(6_000, 90_000)) / step) * step)
    return { name: dice.one(names), quantity, price, sum: quantity * price }
  })
}

export const sumOf = (bought: readonly Bought[]) => bought.reduce((sum, one) => sum + one.sum, 0)

/** An amount as printed. */
export function print(minor: number, decimal: ',' | '.', isGrouped = true): string {
  const whole = String(Math.floor(Math.abs(minor) / 100))
  const group = decimal === ',' ? '.' : ','
  const grouped = isGrouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, group) : whole
  return `${minor < 0 ? '-' : ''}${grouped}${decimal}${String(Math.abs(minor) % 100).padStart(2, '0')}`
}

/** A day of some years, as `YYYY-MM-DD`. */
export function anyDay(dice: Dice): string {
  return new Date(Date.UTC(dice.whole(2016, 2027), dice.whole(0, 11), dice.whole(1, 28))).toISOString().slice(0, 10)
}

/** A time of day as printed. */
export function anyTime(dice: Dice, { isHalf }: { isHalf: boolean }): string {
  const [hour, minute, second] = [dice.whole(7, 22), dice.digits(1).replace(/[6-9]/, '3') + dice.digits(1), `0${dice.digits(1)}`]
  const seconds = dice.chance(0.6) ? `:${second}` : ''
  return isHalf
    ? `${((hour + 11) % 12) + 1}:${minute}${seconds} ${hour > 11 ? 'PM' : 'AM'}`
    : `${String(hour).padStart(2, '0')}:${minute}${seconds}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day as printed in one of many ways; the day comes first unless a month is named or the year comes first. */
export function printDay(day: string, style: 'slash' | 'dash' | 'dot' | 'short' | 'named' | 'joined' | 'iso' | 'us'): string {
  const [year = '', month = '', date = ''] = day.split('-')
  const name = months[Number(month) - 1] ?? ''
  return {
    slash: `${date}/${month}/${year}`,
    dash: `${date}-${month}-${year}`,
    dot: `${date}.${month}.${year}`,
    short: `${date}/${month}/${year.slice(2)}`,
    named: `${date} ${name} ${year}`,
    joined: `${date}/${name.toUpperCase()}/${year}`,
    iso: `${year}-${month}-${date}`,
    us: `${month}/${date}/${year}`,
  }[style]
}
