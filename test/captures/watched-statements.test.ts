import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importStatementFile, isStatementFile } from '#main/desktop/incoming-statements'
import { registerCard } from '#test/support/cards'
import type { Json } from '#test/support/instance'
import { folderOfFile, instanceOfFile } from '#test/support/of-file'
import { ofxOf } from '#test/support/statements/upload'

const folder = folderOfFile('outlay-statements-')
const acme = await instanceOfFile()

const statement = ofxOf([{ day: '2026-03-04', amount: '-42.50', name: 'PADARIA REAL', id: '202603040001' }])

/** Takes a file in as the watched folder does. */
async function take(name: string, text = statement) {
  const path = join(folder, name)
  await writeFile(path, text)
  expect(await isStatementFile(path)).toBe(true)
  const { problem, added } = await importStatementFile(acme.app, path, (why) => why)
  return problem ?? added
}

test('a statement in the watched folder goes to the card whose last digits its name has, or to the only one', async () => {
  const card = await registerCard(acme, acme.admin, { name: 'Travel' })
  expect(await take('march.ofx')).toEqual({ count: 1, card: 'Travel' })
  const other = await registerCard(acme, acme.admin, { name: 'Office' })
  expect(await take('march.ofx')).toBe('whichCard')
  const last4 = (one: Json) => String(one.number).slice(-4)
  expect(await take(`march ${last4(other)}.ofx`)).toEqual({ count: 1, card: 'Office' })
  expect(await take(`march ${last4(card)}.ofx`)).toEqual({ count: 0, card: 'Travel' })
  const home = `/organizations/${acme.organization_id}/statement_lines`
  expect((await acme.admin.api.get(home)).body.statement_lines).toHaveLength(2)
  expect(await take(`unclear ${last4(card)}.csv`, 'a;b;c\n1;2;3\n')).toBe('open')
  expect(await take(`empty ${last4(card)}.qif`, ' ')).toEqual(expect.any(String))
})

test('receipts and e-invoices are no statements; CAMT is known by its head', async () => {
  const write = async (name: string, text: string) => {
    const path = join(folder, name)
    await writeFile(path, text)
    return isStatementFile(path)
  }
  expect(await write('a.pdf', '%PDF-1.7')).toBe(false)
  expect(await write('nfe.xml', '<?xml version="1.0"?><nfeProc/>')).toBe(false)
  expect(await write('camt.xml', '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">')).toBe(true)
})
