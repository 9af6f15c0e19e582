import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSheet } from 'read-excel-file/node'
import { beforeEach, describe, expect, test } from 'vitest'
import { type BuiltFolder, makeBuiltFolder, readOutput, serveFolder, serveMeanwhile } from '#test/support/built-program'
import { inForm } from '#test/support/form'

const published = join(import.meta.dirname, '../../db/fixtures/senate-2022-sample.csv')
const header = 'Employee,Date,Amount,Currency,Category,Description,Reference'

/** A file of as many expenses as asked for, of which no two are the same. */
function manyRows(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) =>
      `Person ${index % 20},2024-05-${String((index % 28) + 1).padStart(2, '0')},${index + 1}.25,BRL,Taxi,Ride ${index},R-${index}`,
  )
  return [header, ...lines].join('\n')
}

let folder: BuiltFolder
beforeEach(async () => {
  folder = await makeBuiltFolder()
  return () => folder.remove()
})

function write(name: string, text: string): string {
  const path = join(folder.path, name)
  writeFileSync(path, text)
  return path
}

async function exported(
  ...args: string[]
): Promise<Array<{ receiver: string; occurred_at: string; tags: string; amount: number; currency: string; external_id: string }>> {
  return (await folder.run('export', 'expenses', '--format', 'json', ...args)).result
}

const into = ['--organization', '1']

describe('import expenses', () => {
  test('lists the first thousand problems and the first thousand changes, and counts the rest', async () => {
    const rows = manyRows(1004).split('\n')
    const wrong = rows.map((row, index) => (index === 0 ? row : row.replace(/,\d+\.25,/, ',0.00,')))
    const refused = await folder.run('import', 'expenses', write('wrong.csv', wrong.join('\n')), ...into)
    expect(refused.result).toMatchObject({ rows: 1004, imported: 0, problems_omitted: 4 })
    expect(refused.result.problems).toHaveLength(1000)
    expect(refused.stderr).toContain('4 more problems are not listed.')

    await folder.run('import', 'expenses', write('rows.csv', rows.join('\n')), ...into)
    const later = rows.map((row) => row.replace(',Ride ', ',Way '))
    const changed = await folder.run('import', 'expenses', write('later.csv', later.join('\n')), ...into)
    expect(changed.result).toMatchObject({ skipped: 1004, problems: [], changed_omitted: 4 })
    expect(changed.result.changed).toHaveLength(1000)
    expect(changed.result).not.toHaveProperty('problems_omitted')
  })

  test('takes a published file to the cent, and nothing when repeated', async () => {
    const first = await folder.run('import', 'expenses', published, ...into)
    expect(first).toMatchObject({ code: 0, result: { rows: 283, imported: 283, skipped: 0, problems: [], total: { BRL: 554_115.04 } } })
    const again = await folder.run('import', 'expenses', published, ...into)
    expect(again).toMatchObject({ code: 0, result: { rows: 283, imported: 0, skipped: 283, problems: [], total: {} } })
    const rows = await exported()
    expect(new Set(rows.map(({ receiver }) => receiver)).size).toBe(12)
    expect(new Set(rows.map(({ tags }) => tags)).size).toBe(7)
  })

  test('of a dry run reports the same and stores nothing', async () => {
    const file = write('rows.csv', `${manyRows(3)}\nPerson 0,2024-05-01,1.25,BRL,Taxi,Ride 0,R-0`)
    const dry = await folder.run('import', 'expenses', file, ...into, '--dry-run')
    expect(await exported()).toEqual([])
    const real = await folder.run('import', 'expenses', file, ...into)
    expect(dry.result).toEqual(real.result)
    expect(real.result).toEqual({ rows: 4, imported: 3, skipped: 1, problems: [], total: { BRL: 6.75 } })
  })

  test('lists bad rows by line and column, and stores the good ones only', async () => {
    await folder.run('user', 'add', ...into, '--name', 'Twin Person', '--email', 'one@example.org')
    await folder.run('user', 'add', ...into, '--name', 'twin person', '--email', 'two@example.org')
    const file = write(
      'bad.csv',
      [
        header,
        'Good One,2024-05-31,10.50,BRL,Taxi,Ride,R-1',
        'Good One,2024-02-30,10.50,BRL,Taxi,Ride,R-2',
        'Good One,2024-05-03,-5.00,BRL,New tag,Ride,R-3',
        'Good One,2024-05-04,12.345,BRL,Taxi,Ride,R-4',
        'Good One,2024-05-05,ten,BRL,Taxi,Ride,R-5',
        'Good One,2024-05-06,7.00,XYZ,Taxi,Ride,R-6',
        'TWIN PERSON,2024-05-07,7.00,BRL,Never made,Ride,R-7',
        'Good One,2024-05-08,7.00,BRL,Taxi',
        'good one,2024-05-09,900,JPY,Taxi,Ride,R-9',
      ].join('\n'),
    )
    const { code, result } = await folder.run('import', 'expenses', file, ...into)
    expect(code).toBe(0)
    expect(result).toEqual({
      rows: 9,
      imported: 2,
      skipped: 0,
      problems: [
        { row: 3, column: 'Date', reason: expect.stringContaining('2024-02-30') },
        { row: 4, column: 'Amount', reason: 'must be greater than 0' },
        { row: 5, column: 'Amount', reason: 'has more decimals than BRL allows' },
        { row: 6, column: 'Amount', reason: expect.stringContaining('ten') },
        { row: 7, column: 'Currency', reason: 'is not included in the list' },
        { row: 8, column: 'Employee', reason: expect.stringContaining('2 members') },
        { row: 9, column: null, reason: expect.stringContaining('fields') },
      ],
      total: { BRL: 10.5, JPY: 900 },
    })
    const rows = await exported()
    expect(rows.map(({ receiver, tags }) => ({ receiver, tags }))).toEqual([
      { receiver: 'Good One', tags: 'Taxi' },
      { receiver: 'Good One', tags: 'Taxi' },
    ])
    expect((await folder.run('doctor')).result).toEqual({ ok: true, problems: [] })
  })

  test('killed half way and started again, completes without a row twice', async () => {
    const rows = inForm(2_500, 6_000)
    const file = write('many.csv', manyRows(rows))
    const killed = folder.start('import', 'expenses', file, ...into)
    await killed.wrote('stderr', '2000 rows')
    killed.child.kill('SIGKILL')
    expect((await killed.ended).stdout).toBe('')
    const { result } = await folder.run('import', 'expenses', file, ...into)
    expect(result.imported + result.skipped).toBe(rows)
    expect(result.skipped).toBeGreaterThanOrEqual(2_000)
    const found = await exported()
    expect(found).toHaveLength(rows)
    expect(new Set(found.map(({ external_id }) => external_id)).size).toBe(rows)
    expect((await folder.run('doctor')).result).toEqual({ ok: true, problems: [] })
  })

  test('reports what a later file says differently, and applies it with --update', async () => {
    const first = [header, 'Ana Lima,2024-05-01,10.00,BRL,Taxi,Ride,R-1', 'Ana Lima,2024-05-02,20.00,BRL,Taxi,Ride,R-2']
    await folder.run('import', 'expenses', write('may.csv', first.join('\n')), ...into)
    const later = [header, 'Ana Lima,2024-05-01,10.00,BRL,Taxi,Ride,R-1', 'Rui Melo,2024-05-03,25.50,EUR,Meals,Dinner,R-2']
    const file = write('corrected.csv', [...later, 'Ana Lima,2024-05-04,5.00,BRL,Taxi,Ride,R-3'].join('\n'))
    const changed = [
      {
        row: 3,
        external_id: 'R-2',
        expense_id: 2,
        changes: [
          { attribute: 'receiver', from: 'Ana Lima', to: 'Rui Melo' },
          { attribute: 'occurred_at', from: '2024-05-02', to: '2024-05-03' },
          { attribute: 'amount', from: 20, to: 25.5 },
          { attribute: 'currency', from: 'BRL', to: 'EUR' },
          { attribute: 'description', from: 'Ride', to: 'Dinner' },
          { attribute: 'tags', from: 'Taxi', to: 'Meals' },
        ],
      },
    ]
    const told = await folder.run('import', 'expenses', file, ...into)
    expect(told.result).toEqual({ rows: 3, imported: 1, updated: 0, skipped: 2, problems: [], changed, total: { BRL: 5 } })
    expect((await exported()).map(({ amount }) => amount)).toEqual([10, 20, 5])
    const dry = await folder.run('import', 'expenses', file, ...into, '--update', '--dry-run')
    const updated = await folder.run('import', 'expenses', file, ...into, '--update')
    expect(updated.result).toEqual({ rows: 3, imported: 0, updated: 1, skipped: 2, problems: [], changed, total: {} })
    expect(dry.result).toEqual(updated.result)
    const taken = (await exported()).find(({ external_id }) => external_id === 'R-2')
    expect(taken).toMatchObject({ receiver: 'Rui Melo', amount: 25.5, currency: 'EUR', tags: 'Meals' })
    const again = await folder.run('import', 'expenses', file, ...into, '--update')
    expect(again.result).toEqual({ rows: 3, imported: 0, skipped: 3, problems: [], total: {} })
    expect((await folder.run('doctor')).result).toEqual({ ok: true, problems: [] })
  })

  test('does not change settled expenses, and reports them', async () => {
    await folder.run('import', 'expenses', write('one.csv', `${header}\nAna Lima,2024-05-01,10,BRL,Taxi,Ride,R-1`), ...into)
    const served = await serveMeanwhile(folder)
    const settled = { status: 'liquidated', approved_amount: 10, approved_amount_currency: 'BRL' }
    expect((await served.api.send('PUT', '/expenses/1/status', settled)).status).toBe(200)
    await served.stop()
    const file = write('two.csv', `${header}\nAna Lima,2024-05-01,12,BRL,Taxi,Ride,R-1`)
    const { result } = await folder.run('import', 'expenses', file, ...into, '--update')
    expect(result).toMatchObject({ imported: 0, skipped: 0, problems: [{ row: 2, column: null, reason: expect.any(String) }] })
    expect(await exported()).toMatchObject([{ amount: 10 }])
  })

  test('says in a line that a file is no table, however large it is', async () => {
    const sparse = write('sparse.csv', '')
    truncateSync(sparse, 1_900_000_000)
    const binary = join(folder.path, 'binary.csv')
    writeFileSync(
      binary,
      Uint8Array.from({ length: 100_000 }, (_, index) => (index * index) % 251),
    )
    for (const [file, sentence] of [
      [sparse, 'This file is not text.'],
      [binary, 'This file is not text.'],
      [write('empty.csv', ''), 'This file is empty.'],
    ] as const) {
      const { code, stderr } = await folder.run('import', 'expenses', file, ...into)
      expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 })
      expect(stderr).toContain(sentence)
    }
  })

  test('reads a file that cannot be recognised with a map file', async () => {
    const file = write('odd.csv', 'wer;wann;was\nAna;03/04/2024;1.250,00\n')
    expect((await folder.run('import', 'expenses', file, ...into)).code).toBe(1)
    const map = write(
      'map.json',
      JSON.stringify({ columns: { receiver: 'wer', occurred_at: 'wann', amount: 'was' }, date_order: 'mdy', currency: 'EUR' }),
    )
    const { result } = await folder.run('import', 'expenses', file, ...into, '--map', map)
    expect(result).toMatchObject({ imported: 1, total: { EUR: 1250 } })
    expect(await exported()).toMatchObject([{ receiver: 'Ana', occurred_at: '2024-03-04T00:00:00Z' }])
  })

  test('skips what was imported and deleted, and finds claimants by their e-mail addresses', async () => {
    await folder.run('user', 'add', ...into, '--name', 'Mel Member', '--email', 'mel@example.org')
    const file = write(
      'two.csv',
      'Employee,Email,Date,Amount,Reference\nM. Member,MEL@example.org,2024-05-31,10,A\nNew Person,new@example.org,2024-05-31,11,B\n',
    )
    await folder.run('import', 'expenses', file, ...into)
    expect(await exported()).toMatchObject([
      { receiver: 'Mel Member', receiver_email: 'mel@example.org' },
      { receiver: 'New Person', receiver_email: 'new@example.org' },
    ])
    const served = await serveMeanwhile(folder)
    expect((await served.api.send('DELETE', '/expenses/1')).status).toBe(204)
    await served.stop()
    expect((await folder.run('import', 'expenses', file, ...into)).result).toMatchObject({ imported: 0, skipped: 2 })
  })

  test('is rejected for people who may not record for others, and for strangers', async () => {
    await folder.run('user', 'add', ...into, '--name', 'Mel Member', '--email', 'mel@example.org')
    const file = write('one.csv', manyRows(1))
    expect(await folder.run('import', 'expenses', file, ...into, '--as', 'mel@example.org')).toMatchObject({ code: 1, stdout: '' })
    expect(await folder.run('import', 'expenses', file, '--organization', '9')).toMatchObject({
      code: 1,
      stderr: 'There is no organization 9.\n',
    })
    expect(await exported()).toEqual([])
  })
})

describe('import expenses while a server runs', () => {
  test('neither waits for the other in vain, and nothing is lost', async () => {
    const rows = inForm(300, 3_000)
    const served = await serveFolder(folder)
    const importing = folder.start('import', 'expenses', write('many.csv', manyRows(rows)), ...into)
    let [isDone, recorded] = [false, 0]
    void importing.ended.then(() => (isDone = true))
    while (!isDone) {
      const body = { payer: { id: 1, type: 'Organization' }, amount: 1, occurred_at: '2024-05-01' }
      expect((await served.api.send('POST', '/expenses', body)).status).toBe(201)
      recorded += 1
    }
    expect((await importing.ended).result).toMatchObject({ imported: rows, problems: [] })
    expect(recorded).toBeGreaterThan(0)
    expect((await served.api.get('/expenses')).body.count).toBe(rows + recorded)
    await served.stop()
  })
})

describe('export expenses', () => {
  test('makes a file that another folder imports to the same totals, and the same folder skips', async () => {
    await folder.run('import', 'expenses', published, ...into)
    const { stdout } = await folder.run('export', 'expenses')
    const file = write('export.csv', stdout)
    expect((await folder.run('import', 'expenses', file, ...into)).result).toMatchObject({ imported: 0, skipped: 283 })
    const other = await makeBuiltFolder()
    expect((await other.run('import', 'expenses', file, ...into)).result).toMatchObject({
      imported: 283,
      problems: [],
      total: { BRL: 554_115.04 },
    })
    expect((await other.run('export', 'expenses')).stdout).toBe(readFileSync(file, 'utf8'))
    await other.remove()
  })

  test('makes a workbook with the same cells: amounts and moments as such, texts never as formulas', async () => {
    await folder.run('import', 'expenses', published, ...into)
    const one = `${header}\nBea Braz,2024-03-01,7,JPY,Taxi,=1+1,R-1`
    await folder.run('import', 'expenses', write('formula.csv', one), ...into)
    const [names, ...rows] = await readSheet(await readOutput('export', 'expenses', '--format', 'xlsx', '--data', folder.path))
    const cells = rows.map((row) => Object.fromEntries(row.map((cell, index) => [String(names?.[index]), cell])))
    const expected = await exported()
    expect(cells).toEqual(expected.map((row) => ({ ...row, occurred_at: new Date(row.occurred_at), tags: row.tags || null })))
    expect(cells.at(-1)).toMatchObject({ description: '=1+1', amount: 7, currency: 'JPY' })
  })

  test('takes the filters of the API', async () => {
    await folder.run('import', 'expenses', write('ten.csv', manyRows(10)), ...into)
    expect(await exported('--q', '{"amount_gt":"8.25","search":"ride"}')).toHaveLength(2)
    expect(await exported('--q', '{"search_tags":"taxi"}', '--organization', '1')).toHaveLength(10)
    const mistyped = await folder.run('export', 'expenses', '--q', '{"status_in":["approved","aproved"]}')
    expect(mistyped).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/"aproved" is not a status\. .*noncompliant/) })
  })
})
