import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCodes } from '#main/files/code-files'
import { factsOfCodes } from '#shared/codes/facts-of-code'
import { damage, damageLevels, makeCode, paintReceipt } from '#test/support/receipts/coded-receipts'

const limits = { maxPixels: 100_000_000, maxTiffPages: 1, maxPdfPages: 1, maxXmlDepth: 1 }

/** Paints receipts with the codes of `makeCode`, damages each in every way, and prints how many codes are read, and how many of those are wrong. */
export async function measureCodes(folder: string, count: number, say: (text: string) => void): Promise<void> {
  for (const level of damageLevels) {
    const tally = { right: 0, wrong: 0, milliseconds: 0 }
    for (let number = 0; number < count; number += 1) {
      const code = makeCode(number)
      const path = join(folder, `${level}-${number}.jpg`)
      writeFileSync(path, await damage(await paintReceipt(code), level, number))
      const start = performance.now()
      const found = factsOfCodes(await findCodes({ path, content_type: 'image/jpeg' }, limits))
      tally.milliseconds += performance.now() - start
      rmSync(path)
      const right = found.filter(({ facts }) => facts.key === code.key && facts.total_minor === code.total_minor).length
      tally.right += right
      tally.wrong += found.length - right
    }
    const share = (tally.right / count).toFixed(3)
    say(`${level.padEnd(6)} ${share} of ${count} receipts read, ${tally.wrong} wrong, ${(tally.milliseconds / count).toFixed(0)} ms each`)
  }
}
