import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Import } from '#shared/contract/imports'
import { pathOf, settled, uploadImport } from '#test/support/imports'
import { type Instance, startInstance } from '#test/support/instance'

let instance: Instance
beforeEach(async () => {
  instance = await startInstance()
})
afterEach(() => instance.remove())

async function preview(bytes: string | Buffer<ArrayBuffer>): Promise<Import> {
  const { organization_id, analyst } = instance
  const { body } = await uploadImport(instance, { token: analyst.token, organization_id, bytes })
  return settled(analyst.api, body)
}

test('a file that cannot be imported says why and what to do on the screen, and is read as chosen there', async () => {
  expect(await preview('')).toMatchObject({ state: 'unreadable', message: 'This file is empty.' })
  expect(await preview(`A\0B\n${'\0'.repeat(9_000)}`)).toMatchObject({ state: 'unreadable', message: expect.stringContaining('not text') })
  const oneLine = Buffer.alloc(3_000_000, 'ÿþýüû', 'latin1')
  expect(await preview(oneLine)).toMatchObject({ state: 'unreadable', message: expect.stringContaining('not text') })
  expect(await preview('Name,Date,Amount,Amount\nAna,2024-05-01,1,2')).toMatchObject({
    state: 'unreadable',
    message: expect.stringContaining('Two columns are called “Amount”'),
    headers: ['Name', 'Date', 'Amount', 'Amount (2)'],
  })
  const odd = await preview('wer;wann;was\nAna;03/04/2024;1.250,00\n')
  expect(odd).toMatchObject({
    state: 'unreadable',
    headers: ['wer', 'wann', 'was'],
    message:
      'No column was recognized as the person. Choose it below. No column was recognized as the date. Choose it below. ' +
      'No column was recognized as the amount. Choose it below.',
  })
  const absent = await instance.analyst.api.send('PUT', pathOf(odd), { columns: { receiver: 'who' } })
  expect(absent.status).toBe(200)
  expect((await settled(instance.analyst.api, odd)).message).toContain('The file has no column who. Choose another one below.')
  expect((await instance.analyst.api.send('POST', `${pathOf(odd)}/run`)).status).toBe(422)
  const options = { columns: { receiver: 'wer', occurred_at: 'wann', amount: 'was' }, date_order: 'mdy', currency: 'EUR' }
  expect((await instance.analyst.api.send('PUT', pathOf(odd), options)).status).toBe(200)
  expect(await settled(instance.analyst.api, odd)).toMatchObject({
    state: 'ready',
    report: { imported: 1, total: { EUR: 1250 } },
    table: { first_rows: [{ occurred_at: '2024-03-04', amount: '1250.00' }] },
  })
  const wrong = await instance.analyst.api.send('PUT', pathOf(odd), { currency: 'XYZ', decimal: '!' })
  expect(wrong).toMatchObject({ status: 422, body: { errors: { currency: expect.any(Array), decimal: expect.any(Array) } } })
  expect((await instance.analyst.api.send('DELETE', pathOf(odd))).status).toBe(204)
  const mixed = await preview('Name,Date,Amount\nAna,03/04/2024,"1,50"\nAna,03/04/2024,1.50\n')
  expect(mixed.message).toBe(
    'The column “Amount” has decimals after a comma and decimals after a point. Choose the decimal sign below. ' +
      'The dates in the column “Date” can be read in more than one order. Choose their order below.',
  )
})
