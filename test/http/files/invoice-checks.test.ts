import { expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { certificateFolder, signedInvoice } from '#test/support/receipts/signed-invoices'

const instance = await instanceOfFile({ settings: { OUTLAY_INVOICE_ROOTS: certificateFolder } })

const check = async (xml: string) => (await instance.member.api.send('POST', '/invoice_checks', { xml })).body

test('the signature of an invoice is checked against the roots of the operator', async () => {
  const xml = signedInvoice()
  expect(await check(xml)).toMatchObject({ state: 'valid' })
  expect(await check(xml.replace('<vNF>210.00', '<vNF>910.00'))).toEqual({ state: 'altered', reason: 'digest' })
  expect(await check('<note/>')).toEqual({ state: 'unchecked', reason: 'unknown_layout' })
  expect(await check('<!DOCTYPE x [<!ENTITY a "b">]><NFe>&a;</NFe>')).toEqual({ state: 'unchecked', reason: 'unknown_layout' })
  expect((await instance.member.api.send('POST', '/invoice_checks', { xml: '' })).status).toBe(422)
})
