import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import readXlsxFile, { readSheet } from 'read-excel-file/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { fromMinor } from '#shared/domain/money'
import { recordApproved } from '#test/support/accountabilities'
import { attach } from '#test/support/attach'
import { recordExpense } from '#test/support/expenses'
import { exportAs, saved, settledExport } from '#test/support/exports'
import type { Json } from '#test/support/instance'
import { folderOfFile, instanceOfFile } from '#test/support/of-file'

const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const scripts = 'Ünïcode Ελληνικά Привет مرحبا שלום नमस्ते สวัสดี 你好 こんにちは 안녕 😀'
const folder = folderOfFile('outlay-formats-')
const instance = await instanceOfFile()
/** The expenses whose sums are known: other tests record more. */
const ids: number[] = []
beforeAll(async () => {
  const record = async (attributes: Json) => void ids.push((await recordApproved(instance, instance.member, attributes)).id)
  await record({
    amount: 1234.56,
    approved_amount: 1000.01,
    currency: 'BRL',
    description: 'Hotel; "suite" \\ two',
    tags: 'Travel: hotels; x',
    supplier_name: '=cmd|1',
  })
  await record({ amount: 0.07, currency: 'BRL', description: scripts, tags: scripts })
  await record({ amount: 5000, currency: 'JPY', description: '@SUM(A1)\n+two lines', tags: 'Viagem, Meals' })
  await record({ amount: 1.234, currency: 'KWD', description: `x_x0041_\u0001${'long '.repeat(1990)}`, occurred_at: '2025-12-31' })
  await record({ amount: 19.99, currency: 'EUR', description: '-1+1', tags: 'ヴ', occurred_at: '2026-05-06' })
})

const sums = { BRL: 100008, JPY: 5000, KWD: 1234, EUR: 1999 }

describe('a workbook', () => {
  test('has typed cells, and sums by currency, tag and claimant, as another library reads it', async () => {
    const { bytes } = await exportAs(instance.analyst, { format: 'xlsx', ids })
    const sheets = await readXlsxFile(bytes)
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['Expenses', 'Totals', 'By tag', 'By claimant'])
    const [names = [], ...rows] = await readSheet(bytes)
    const cell = (row: number, name: string) => rows[row]?.[names.indexOf(name)]
    expect(cell(0, 'occurred_at')).toEqual(new Date('2026-03-04T00:00:00Z'))
    expect([cell(0, 'amount'), cell(0, 'approved_amount'), cell(2, 'amount'), cell(3, 'amount')]).toEqual([1234.56, 1000.01, 5000, 1.234])
    expect(cell(1, 'description')).toBe(scripts)
    expect(String(cell(3, 'description')).length).toBeGreaterThan(9_950)
    const totals = await readSheet(bytes, 'Totals')
    expect(totals.slice(1).map(([currency, count, , counted]) => [currency, count, counted])).toEqual([
      ['BRL', 2, fromMinor(sums.BRL, 'BRL')],
      ['EUR', 1, 19.99],
      ['JPY', 1, 5000],
      ['KWD', 1, 1.234],
    ])
    const byTag = await readSheet(bytes, 'By tag')
    expect(byTag.find(([tag]) => tag === 'Meals')).toEqual(['Meals', null, null, 5000, null])
    expect(await readSheet(bytes, 'By claimant')).toEqual([
      ['Claimant', 'BRL', 'EUR', 'JPY', 'KWD'],
      ['Mel Member', 1000.08, 19.99, 5000, 1.234],
    ])
  })

  test('that matches nothing says so', async () => {
    const { bytes } = await exportAs(instance.analyst, { format: 'xlsx', ids: [999_999] })
    expect((await readSheet(bytes))[1]?.[0]).toMatch(/^No expense matches/)
  })
})

test('no cell of a table for spreadsheets can run as a formula', async () => {
  for (const format of ['csv', 'quickbooks', 'xero']) {
    const text = (await exportAs(instance.analyst, { format })).bytes.toString('utf8')
    expect(text).toContain("'-1+1")
    expect(text).not.toMatch(/(,|\r\n)"?[=@]/)
  }
})

describe.skipIf(!has('hledger'))('hledger (skipped where it is not installed)', () => {
  test('reads the journal, which balances, and adds it up to the cent', async () => {
    const { bytes } = await exportAs(instance.analyst, { format: 'hledger', ids })
    const path = await saved(folder, 'all.journal', bytes)
    const run = (...args: string[]) =>
      execFileSync('hledger', ['-f', path, ...args], { encoding: 'utf8', env: { ...process.env, LANG: 'C.UTF-8' } })
    run('check', '--strict')
    const total = run('balance', 'expenses', '--depth', '1', '-O', 'csv', '--layout', 'bare')
    for (const text of ['"BRL","1000.08"', '"EUR","19.99"', '"JPY","5000"', '"KWD","1.234"']) expect(total).toContain(text)
    expect(run('stats')).toMatch(/Transactions\s*: 5/)
  })
})

describe.skipIf(!has('bean-check'))('Beancount (skipped where it is not installed)', () => {
  test('reads the journal without a complaint, and adds it up to the cent', async () => {
    const { bytes } = await exportAs(instance.analyst, { format: 'beancount', ids })
    const path = await saved(folder, 'all.beancount', bytes)
    expect(execFileSync('bean-check', [path], { encoding: 'utf8' })).toBe('')
    const query = "select currency, sum(number * 1000) where account ~ '^Expenses' group by currency order by currency"
    const answer = execFileSync('bean-query', ['-f', 'csv', path, query], { encoding: 'utf8' })
    expect(
      answer
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((row) => row.replace(/\s|\.0+\s*$/g, '')),
    ).toEqual(['BRL,1000080', 'EUR,19990', 'JPY,5000000', 'KWD,1234'])
  })
})

describe('bookings for DATEV', () => {
  test('leave out other currencies than euros, and say how many', async () => {
    const { body } = await instance.analyst.api.send('POST', '/exports', { format: 'datev', ids })
    const left_out = [{ reason: 'other_currency', count: 4 }]
    expect(await settledExport(instance.analyst.api, body)).toMatchObject({ state: 'finished', done: 1, left_out })
    const pounds = { format: 'datev', q: { counted_currency: ['BRL'] } }
    const none = await instance.analyst.api.send('POST', '/exports', pounds)
    expect(await settledExport(instance.analyst.api, none.body)).toMatchObject({ state: 'finished', done: 0 })
  })

  test('keep every sign of Windows, and the nearest letter of others', async () => {
    const description = 'Łódź – Ştefan, Dvořák “€ 5” − −10 % 你'
    const { id } = await recordApproved(instance, instance.member, { amount: 2, currency: 'EUR', description, occurred_at: '2026-05-07' })
    const { bytes } = await exportAs(instance.analyst, { format: 'datev', ids: [id] })
    expect(new TextDecoder('windows-1252').decode(bytes)).toContain('"Lódz – Stefan, Dvorák “€ 5” - -10 % ?"')
    await instance.manager.api.send('PUT', `/expenses/${id}/status`, { status: 'rejected' })
    await instance.manager.api.send('DELETE', `/expenses/${id}`)
  })

  test('have the header and the columns of the published format', async () => {
    const { bytes } = await exportAs(instance.analyst, { format: 'datev', ids })
    const [header = '', names = '', booking = '', end] = bytes.toString('latin1').split('\r\n')
    const fields = header.split(';')
    expect(fields).toHaveLength(31)
    expect(fields.slice(0, 5)).toEqual(['"EXTF"', '700', '21', '"Buchungsstapel"', '13'])
    expect([fields[12], fields[14], fields[15], fields[21]]).toEqual(['20260101', '20260506', '20260506', '"EUR"'])
    const cells = booking.split(';')
    expect([names.split(';').length, cells.length, end]).toEqual([125, 125, ''])
    expect([cells[0], cells[1], cells[9]]).toEqual(['19,99', '"S"', '0605'])
    expect(cells[13]).toBe(`"'-1+1"`)
  })
})

describe('a ZIP', () => {
  test('has the receipts under readable names, and a manifest with the hashes of what is in it', async () => {
    const { id } = await recordExpense(instance, instance.member, { amount: 3, description: 'Lunch / "Ação" 😀', tags: 'zipped' })
    await attach(instance.member.api, id, 'IMG 1.png')
    await attach(instance.member.api, id, 'nota.png')
    const { bytes } = await exportAs(instance.analyst, { format: 'zip', title: 'March', ids: [id] })
    const files = unzipSync(bytes)
    const manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString('utf8'))
    expect(manifest).toMatchObject({ asked: 'March', expenses: [{ id, amount: '3.00', claimant: 'Mel Member' }] })
    const [first, second] = manifest.expenses[0].receipts
    expect([first.original_name, first.problem, second.original_name]).toEqual(['IMG 1.png', null, 'nota.png'])
    expect(first.file).toBe(`receipts/2026-03-04_${id}_Mel-Member_Lunch-Ação-😀_1.png`)
    for (const { file, sha256 } of [first, second])
      expect(
        createHash('sha256')
          .update(files[file] ?? '')
          .digest('hex'),
      ).toBe(sha256)
    expect(Buffer.from(files.SHA256SUMS ?? []).toString('utf8')).toBe(`${first.sha256}  ${first.file}\n${second.sha256}  ${second.file}\n`)
  })
})

test('a supplier that the description begins with is named once', async () => {
  const bought = {
    amount: 3,
    supplier_name: 'Sol Lda',
    supplier_tax_id: 'PT 501 442 600',
    description: 'SOL LDA (PT 501 442 600) – Lunch',
    occurred_at: '2026-05-08',
  }
  const { id } = await recordApproved(instance, instance.member, bought)
  const csv = (await exportAs(instance.analyst, { format: 'quickbooks', ids: [id] })).bytes.toString()
  expect(csv).toContain(',Sol Lda – Lunch,')
  const journal = (await exportAs(instance.analyst, { format: 'hledger', ids: [id] })).bytes.toString()
  expect(journal).toMatch(/Sol Lda \| Lunch/)
  const only = await recordApproved(instance, instance.member, { ...bought, description: 'Sol Lda (PT 501 442 600)' })
  expect((await exportAs(instance.analyst, { format: 'quickbooks', ids: [only.id] })).bytes.toString()).toContain(',Sol Lda,')
})
