import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Instance, startInstance } from '#test/support/instance'
import { certificateFolder, signedInvoice } from '#test/support/receipts/signed-invoices'

let instance: Instance
beforeAll(async () => {
  instance = await startInstance({ settings: { OUTLAY_INVOICE_ROOTS: certificateFolder } })
})
afterAll(() => instance.remove())

const check = async (xml: string) => (await instance.member.api.send('POST', '/invoice_checks', { xml })).body

test('the signature of an invoice is checked against the roots of the operator', async () => {
  const xml = signedInvoice()
  expect(await check(xml)).toMatchObject({ state: 'valid' })
  expect(await check(xml.replace('<vNF>210.00', '<vNF>910.00'))).toEqual({ state: 'altered', reason: 'digest' })
  expect(await check('<note/>')).toEqual({ state: 'unchecked', reason: 'unknown_layout' })
  expect(await check('<!DOCTYPE x [<!ENTITY a "b">]><NFe>&a;</NFe>')).toEqual({ state: 'unchecked', reason: 'unknown_layout' })
  expect((await instance.member.api.send('POST', '/invoice_checks', { xml: '' })).status).toBe(422)
})
