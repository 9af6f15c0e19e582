import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import { goodsInvoice, makeKey, municipalService } from '#test/support/invoices'
import { certificateFolder, signedInvoice } from '#test/support/receipts/signed-invoices'
import { uploadFile } from '#test/support/upload'
import type { Person } from '#test/support/instance'
import { type Screens, startScreens } from './shown'

/** What Capture says of an expense that is being written, before anything is sent. */

let screens: Screens
beforeAll(async () => {
  screens = await startScreens({ settings: { OUTLAY_INVOICE_ROOTS: certificateFolder } })
  const { admin, organization_id } = screens.instance
  const write = (what: string, body: object) => admin.api.send('POST', `/organizations/${organization_id}/${what}`, body)
  await write('policies', { name: 'Meals', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' })
  await write('policies', { name: 'As invoiced', weight: 'reason', condition: 'invoice_total' })
  await write('closings', { name: '2026-02' })
})
afterAll(() => screens.end())

const xml = (name: string, text: string) => new File([text], name, { type: 'application/xml' })
const capture = (written: Parameters<Screens['capture']>[1], person: Person = screens.instance.member) => screens.capture(person, written)

/** Records an expense with an invoice as its receipt. */
async function recordWithInvoice(person: Person, text: string, attributes: Record<string, unknown> = {}): Promise<number> {
  const { instance } = screens
  const { id } = await recordExpense(instance, person, {
    ...{ amount: 210, occurred_at: '2026-01-04', description: 'Dinner' },
    ...attributes,
  })
  const file = await uploadFile(person, { name: 'nfe.xml', type: 'application/xml', bytes: Buffer.from(text) })
  const { status } = await person.api.send('POST', `/expenses/${id}/attachments`, { file })
  expect(status).toBe(201)
  return id
}

test('it says what policies will find, and nothing where they find nothing', async () => {
  expect((await capture({ form: { amount: '80' } })).text).not.toContain('Policies will find')
  expect((await capture({ form: { amount: '80.01' } })).text).toMatch(/Policies will find: .*limit BRL 80\.00/)
})

test('it says where an expense of a closed month will count', async () => {
  const { text } = await capture({ form: { date: '9/2/2026' } })
  expect(text).toContain('February 2026 is closed. This expense will count in March 2026.')
  expect((await capture({ form: { date: '2/3/2026' } })).text).not.toContain('is closed')
})

test('it names own expenses that it may repeat', async () => {
  const { instance } = screens
  const said = { amount: 77, occurred_at: '2026-03-04', description: 'Taxi to the airport' }
  const { id } = await recordExpense(instance, instance.member, said)
  const form = { amount: '77', date: '2026-03-05', description: 'airport taxi' }
  const own = await capture({ form })
  expect(own.text).toContain('This may already be on an expense')
  expect(own.text).toContain('Similar description · Same claimant')
  expect(own.links.get(`#${id}`)).toBe(`/expenses/${id}`)
})

test('an invoice fills the empty fields, and what is typed stays', async () => {
  const files = [xml('nfe.xml', goodsInvoice())]
  const { fields, text } = await capture({ form: { description: 'Lunch, 3 people' }, files })
  expect(Object.fromEntries(fields)).toMatchObject({
    Amount: '210.00',
    Date: '2026-01-04',
    Description: 'Lunch, 3 people',
    Supplier: 'Cantina Boa Mesa Ltda',
  })
  // Rarely used fields are behind a line that says what they hold.
  expect(text).toMatch(/Place, tax number and more\s*Campinas, SP/)
  expect(text).toContain('The access key is valid and matches the file.')
  expect(text).toContain('The file has no digital signature.')
})

test('the same invoice again is reported before it is saved and afterwards on the first; a colleague learns nothing of whose it is', async () => {
  const { instance, show } = screens
  const id = await recordWithInvoice(instance.analyst, goodsInvoice({ number: '8000' }))
  const files = [xml('copy.xml', goodsInvoice({ number: '8000', name: 'Cantina' }))]
  const told = await capture({ form: {}, files }, instance.analyst)
  expect(told.text).toMatch(/This may already be on an expense: #\d+Dinner.*Same invoice/)
  expect(told.links.has(`#${id}`)).toBe(true)
  const other = await capture({ form: {}, files })
  expect(other.text).toContain('1 more expense looks like this one.')
  expect(other.links.has(`#${id}`)).toBe(false)
  await recordWithInvoice(instance.analyst, goodsInvoice({ number: '8000', name: 'Cantina' }))
  expect((await show(instance.manager, `/expenses/${id}`)).text).toContain('1 later expense may repeat this one')
})

test('a file that contradicts its key is shown as one that is not the original, and is kept', async () => {
  const changed = goodsInvoice({ key: makeKey({ number: '4513' }) })
  const { text } = await capture({ form: {}, files: [xml('changed.xml', changed)] })
  expect(text).toContain('changed.xml does not look like the original file.')
  expect(text).toContain('the access key names another number')
  await recordWithInvoice(screens.instance.manager, changed)
})

test('an invoice without an access key fills the form; other XML is a receipt that fills nothing', async () => {
  const service = await capture({ form: {}, files: [xml('service.xml', municipalService({}, 'ns2:'))] })
  expect(service.fields.get('Description')).toBe('Oficina Dois Irmãos Ltda')
  expect(service.text).toMatch(/Service invoice \(NFS-e\).*no access key to check/)
  const catalog = await capture({ form: {}, files: [xml('catalog.xml', '<catalog><item>1</item></catalog>')] })
  expect(catalog.buttons).toContain('Show catalog.xml')
  expect(catalog.fields.get('Amount')).toBe('')
})

test('an invoice that was altered after it was signed is named and fills nothing in; of a whole one it says who signed', async () => {
  const altered = signedInvoice().replace('<vNF>210.00', '<vNF>910.00')
  const forged = await capture({ form: {}, files: [xml('forged.xml', altered)] })
  expect(forged.text).toContain('forged.xml does not look like the original file.')
  expect(forged.text).toContain('its digital signature does not match what it says')
  expect(forged.fields.get('Amount')).toBe('')
  const whole = await capture({ form: {}, files: [xml('whole.xml', signedInvoice())] })
  expect(whole.text).toContain('The digital signature is valid. Signed by CANTINA BOA MESA LTDA')
  expect(whole.fields.get('Amount')).toBe('210.00')
})

test('it compares an e-invoice with what is typed', async () => {
  const files = [xml('nfe.xml', goodsInvoice())]
  expect((await capture({ form: {}, files })).text).not.toContain('As invoiced')
  const { text } = await capture({ form: { amount: '200' }, files })
  expect(text).toContain('As invoiced: e-invoices come to BRL 210.00, the expense to BRL 200.00')
  const id = await recordWithInvoice(screens.instance.member, goodsInvoice({ number: '8001' }), {
    amount: 200,
    justification: 'The tip is mine',
  })
  const { body } = await screens.instance.member.api.get(`/expenses/${id}`)
  expect(body.flags).toEqual(
    expect.arrayContaining([expect.objectContaining({ condition: 'invoice_total', is_explained: true, value: 210, limit: 200 })]),
  )
})

test.each([
  ['keeps', {}, 'Saved on this device', '1 file is saved on this device. Outlay sends it when it reaches the server.'],
  [
    'cannot keep',
    { one: { kind: 'failed' as const, reason: 'The server does not respond.' } },
    'Not saved',
    '1 file is not saved. Keep this page open and try again.',
  ],
])('the inbox says of a file that this device %s where it is', async (_, states, row, note) => {
  const { useOutbox } = await import('../../../src-renderer/state/outbox')
  const { useSending } = await import('../../../src-renderer/state/sending')
  const where = { expense_id: null, upload: null, source: 'drop' as const, captured_at: '2026-03-04T10:00:00Z', note: null, refusal: null }
  const files = [{ key: 'one', user_uid: '', file: new File(['x'], 'hotel.pdf', { type: 'application/pdf' }), ...where }]
  Object.assign(useOutbox.getInitialState(), { files, states })
  Object.assign(useSending.getInitialState(), { isServerAway: true })
  const { text } = await capture({ form: {} })
  expect(text).toContain(note)
  expect(text).toMatch(new RegExp(`hotel\\.pdf.*${row}`))
})
