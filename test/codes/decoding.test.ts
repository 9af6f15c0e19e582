import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, expect, it } from 'vitest'
import { createInspector } from '#main/files/inspect'
import { factsOfCodes } from '#shared/codes/facts-of-code'
import { inForm } from '#test/support/form'
import { damage, makeCode, paintReceipt } from '#test/support/receipts/coded-receipts'
import { folderOfFile } from '#test/support/of-file'

const folder = folderOfFile('outlay-codes-')
const inspector = createInspector({ processes: 1 })
afterAll(() => inspector.close())

/** In the short form a scan of every other kind, and a photo of those between. */
const kinds = 6
const numbersOf = (level: 'scan' | 'mild') =>
  Array.from({ length: kinds }, (_, number) => number).filter((number) => inForm(number % 2 === (level === 'scan' ? 0 : 1), true))

// More receipts, and with figures: npm run bench -- codes
it.each(['scan', 'mild'] as const)('Reads the code of nearly every receipt that came as a %s, and none wrong', async (level) => {
  let right = 0
  for (const number of numbersOf(level)) {
    const code = makeCode(number)
    const path = join(folder, `${level}-${number}.jpg`)
    await writeFile(path, await damage(await paintReceipt(code), level, number))
    const facts = factsOfCodes(await inspector.findCodes({ path, content_type: 'image/jpeg' }))
    for (const found of facts) expect(found.facts).toMatchObject({ key: code.key, total_minor: code.total_minor })
    right += facts.length
  }
  expect(right).toBeGreaterThanOrEqual(numbersOf(level).length * 0.9)
})

it('Reads the codes of every page of a PDF, and says where each is', async () => {
  const document = await PDFDocument.create()
  for (const number of [1, 5]) {
    const picture = await document.embedPng(await paintReceipt(makeCode(number)))
    document.addPage([300, 600]).drawImage(picture, { x: 30, y: 100, width: 240, height: 260 })
  }
  const path = join(folder, 'two.pdf')
  await writeFile(path, await document.save())
  const codes = await inspector.findCodes({ path, content_type: 'application/pdf' })
  expect(codes.map(({ text, place }) => [text, place.page])).toEqual([1, 5].map((number, page) => [makeCode(number).text, page]))
  for (const { place } of codes) expect(place.y).toBeGreaterThan(0.5)
})

it('Finds nothing in what is no picture, and goes on', async () => {
  const path = join(folder, 'broken.jpg')
  await writeFile(path, 'no picture')
  expect(await inspector.findCodes({ path, content_type: 'image/jpeg' })).toEqual([])
})
