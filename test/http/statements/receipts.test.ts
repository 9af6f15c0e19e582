import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { captureRead, noteRead } from '#test/support/captures'
import { registerCard } from '#test/support/cards'
import { newExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { jpgFile, pdfFile, pngFile } from '#test/support/sample-files'
import { ofxOf, uploadStatement } from '#test/support/statements/upload'
import { uploadFile } from '#test/support/upload'

const acme = await instanceOfFile()
const home = `/organizations/${acme.organization_id}`

const linesOf = async ({ api }: Person, query: Record<string, string>): Promise<Json[]> =>
  (await api.get(`${home}/readings?${new URLSearchParams(query)}`)).body.readings.map(({ line }: Json) => line)

test('a receipt finds the one line of its holder that it surely is, and the expense made of it is matched', async () => {
  const { member, manager } = acme
  const card = await registerCard(acme, member)
  await recordExpense(acme, member, { amount: 63.4, supplier_name: 'Taxi Central', occurred_at: '2026-05-04' })
  const bytes = ofxOf([
    { day: '2026-05-02', amount: '-63.40', name: 'RADIO TAXI', id: 'A1' },
    // That of the expense.
    { day: '2026-05-04', amount: '-63.40', name: 'TAXI CENTRAL', id: 'A2' },
    { day: '2026-05-03', amount: '-29.90', name: 'STREAMING', id: 'A3' },
  ])
  await uploadStatement(acme, member, { card_id: card.id, bytes })
  const ride = { total: '6340', date: '2026-05-02' }
  const photo = await captureRead(acme, member, { file: await pngFile('taxi.png'), ...ride })
  const found = { name: 'RADIO TAXI', amount: 63.4, currency: 'BRL', corporative_card_id: card.id }
  expect(await linesOf(member, { capture_ids: String(photo) })).toMatchObject([found])
  expect((await member.api.get(`${home}/statement_matches`)).body.statement_matches).toEqual([])
  // A manager sees the line, and it is not theirs.
  const other = await captureRead(acme, manager, { file: await jpgFile({ name: 'same.jpg' }), ...ride })
  expect(await linesOf(manager, { capture_ids: String(other) })).toEqual([null])
  expect(await linesOf(member, { capture_ids: String(other) })).toEqual([])
  const [line] = await linesOf(member, { capture_ids: String(photo) })
  const made = await member.api.send('POST', '/expenses', newExpense(acme, { amount: 63.4, statement_line_id: line?.id }))
  expect(made.body).toMatchObject({ corporative_card_id: card.id, paid_on: '2026-05-02T00:00:00Z' })
  expect(await linesOf(member, { capture_ids: String(photo) })).toEqual([null])
  // A receipt of a draft that is uploaded finds its line too, as long as no other fits.
  const file = pdfFile('streaming.pdf')
  const files = await uploadFile(member, file)
  await noteRead(acme, createHash('sha256').update(file.bytes).digest('hex'), { total: '2990', date: '2026-05-03' })
  expect(await linesOf(member, { files })).toMatchObject([{ name: 'STREAMING' }])
  const twin = await captureRead(acme, member, { file: await pngFile('twin.png', { width: 60 }), total: '2990', date: '2026-05-03' })
  expect(await linesOf(member, { files, capture_ids: String(twin) })).toEqual([null, null])
})
