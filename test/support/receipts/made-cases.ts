import { type DamageLevel, damageLevels, drawReceipt } from '#test/support/receipts/draw-receipt'
import { makeReceipt } from '#test/support/receipts/make-receipt'
import type { Truth } from '#test/support/receipts/receipt'

/** A made receipt, to be drawn. */
export interface MadeCase {
  readonly name: string
  readonly level: DamageLevel
  readonly truth: Truth
  readonly draw: () => Promise<Buffer>
}

/** Seeds far from those that anything is trained on. */
const firstSeed = 9_000_000

/** Brazilian and Portuguese receipts in turn, each level of damage as often. */
export function* madeCases(count: number): Generator<MadeCase> {
  for (let at = 0; at < count; at += 1) {
    const level = damageLevels[at % damageLevels.length] ?? 'scan'
    const kind = Math.floor(at / damageLevels.length) % 2 === 0 ? 'brazilian' : 'portuguese'
    const receipt = makeReceipt(kind, firstSeed + at)
    yield { name: `${kind}-${level}-${at}`, level, truth: receipt.truth, draw: () => drawReceipt(receipt, level, at) }
  }
}
