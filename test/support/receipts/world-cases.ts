import type { TextLine } from '#shared/readings/text-line'
import { asLines } from '#test/support/receipts/as-lines'
import { type DamageLevel, damageLevels, drawReceipt } from '#test/support/receipts/draw-receipt'
import { type WorldReceipt, makeWorld, worldLayouts } from '#test/support/receipts/make-world'
import { Dice } from '#test/support/receipts/receipt'
import { worldCountries } from '#test/support/receipts/world-countries'

/** A receipt of the world with its text as an engine reads it, or to be drawn. `again`: another look at a line. */
export interface WorldCase {
  readonly name: string
  readonly receipt: WorldReceipt
  readonly lines: readonly TextLine[]
  readonly again: (line: TextLine, height: number) => Promise<TextLine>
  readonly draw: () => Promise<Buffer>
}

/** How many signs are misread, by turns. */
const noises = [0, 0.004, 0.01, 0.02]
/** How often another look makes the same mistakes. */
const sameMistakes = 0.3
/** Every layout of every country, in an order that has few of one in a row. Of two such blocks of seeds one is for tuning, and the other is not looked at. */
const block = worldLayouts.length * worldCountries.length

/** Receipts of all countries and layouts in turn, each damage as often; `isUnseen`: of the seeds that nothing was tuned on. */
export function* worldCases(count: number, { isUnseen }: { isUnseen: boolean }): Generator<WorldCase> {
  for (let at = 0; at < count; at += 1) {
    const round = Math.floor(at / block)
    const seed = ((at * 11) % block) + block * (round + (isUnseen ? 1 : 0))
    const receipt = makeWorld(seed)
    const noise = noises[round % noises.length] ?? 0
    const lines = asLines(receipt, new Dice(seed + 77), noise)
    const level: DamageLevel = damageLevels[at % damageLevels.length] ?? 'scan'
    yield {
      ...{ name: `${receipt.country}-${receipt.layout}-${seed}`, receipt, lines },
      again: (line, height) => {
        const index = lines.indexOf(line)
        const isSame = new Dice(seed + index * 7 + height * 1_000).chance(sameMistakes)
        const other = asLines(receipt, new Dice(seed * 31 + height * 100), noise)[index]
        return Promise.resolve(isSame || !other ? line : other)
      },
      draw: () => drawReceipt(receipt, level, seed),
    }
  }
}
