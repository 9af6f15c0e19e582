import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect } from '@playwright/test'
import { Served } from '#test/e2e/support/served'
import { type Computer, makeComputer, test } from '#test/desktop/support/folder'
import { isRealElectron } from '#test/desktop/support/launch'
import { inForm } from '#test/support/form'

test.skip(isRealElectron, "what an error box says is read from the stand-in's output")

/** Starts it, waits for its end, and gives what it said. */
async function failToStart(computer: Computer, locale = 'en-GB'): Promise<string> {
  const started = computer.start({ env: { STAND_IN_LOCALE: locale } }).then(async (desktop) => {
    if (desktop.process.exitCode === null) await once(desktop.process, 'exit')
    return `It ended with ${String(desktop.process.exitCode)}: ${desktop.output.join('')}`
  })
  const said = await started.catch((error: unknown) => String(error))
  expect(said).toContain('It ended with 1')
  return said
}

test('a database of a newer version is left untouched, and the message says which version is needed, in the language of the computer', async () => {
  const computer = await makeComputer()
  const path = join(computer.data, 'outlay.db')
  const database = new Database(path)
  database.pragma('user_version = 9000')
  database.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z')")
  database.close()
  const before = await readFile(path)
  expect(await failToStart(computer)).toMatch(/newer/i)
  expect(await failToStart(computer, 'pt-BR')).toMatch(/mais nov|vers/i)
  expect((await readFile(path)).equals(before)).toBe(true)
})

test('a folder that a server of ours has open is not opened twice', async () => {
  const computer = await makeComputer()
  const served = new Served(computer.data)
  await served.start()
  try {
    expect(await failToStart(computer)).toMatch(/in use|another|already/i)
  } finally {
    await served.kill()
  }
})

test('a damaged database does not keep it from starting: it is quarantined, and the person sees a message', async () => {
  const computer = await makeComputer()
  const path = join(computer.data, 'outlay.db')
  const bytes = await readFile(path)
  bytes.fill(0xff, 0, 4096)
  await writeFile(path, bytes)
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect(page.locator('body')).not.toBeEmpty()
  const aside = (await readdir(computer.data)).filter((name) => name.startsWith('damaged-'))
  expect(aside).toHaveLength(1)
  expect((await readFile(join(computer.data, aside[0] ?? '', 'outlay.db'))).equals(bytes)).toBe(true)
})

test('killed while it writes, it starts again with every acknowledged write', async () => {
  const computer = await makeComputer()
  const answered: number[] = []
  for (let round = 0; round < inForm(1, 3); round += 1) {
    const desktop = await computer.start()
    const page = await desktop.mainPage()
    await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
    await page.exposeFunction('answered', (id: number) => answered.push(id))
    await page.evaluate((turn) => {
      const write = async (index: number) => {
        const body = {
          payer: { id: 1, type: 'Organization' },
          amount: index + 1,
          occurred_at: '2026-03-01',
          description: `${turn}-${index}`,
        }
        const response = await fetch('/api/v1/expenses', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const { id } = (await response.json()) as { id: number }
        ;(window as typeof window & { answered(id: number): void }).answered(id)
        void write(index + 1)
      }
      void write(0)
    }, round)
    const least = answered.length + 5
    await expect.poll(() => answered.length).toBeGreaterThan(least)
    await desktop.kill()
  }
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  const missing = await page.evaluate(async (ids) => {
    const found = await Promise.all(ids.map(async (id) => (await fetch(`/api/v1/expenses/${id}`)).ok))
    return ids.filter((_, index) => !found[index])
  }, answered)
  expect(missing).toEqual([])
})

test('a quit waits for what is being written', async () => {
  const computer = await makeComputer()
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  await page.evaluate(() => {
    const operations = Array.from({ length: 400 }, (_, index) => ({
      method: 'POST',
      path: '/expenses',
      body: { payer: { id: 1, type: 'Organization' }, amount: index + 1, occurred_at: '2026-03-01' },
    }))
    void fetch('/api/v1/batch', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ operations }) })
  })
  await page.waitForTimeout(60)
  expect(await desktop.quit(), desktop.output.join('')).toBe(0)
  const doctor = spawn(process.execPath, [join(import.meta.dirname, '../../out/main/cli.js'), 'doctor', '--data', computer.data])
  expect((await once(doctor, 'exit'))[0]).toBe(0)
  const database = new Database(join(computer.data, 'outlay.db'), { readonly: true })
  const { count } = database.prepare('select count(*) as count from expenses').get() as { count: number }
  database.close()
  expect([0, 400]).toContain(count)
})

test('a quit at any moment of the start ends it cleanly', async () => {
  const computer = await makeComputer()
  for (const afterMs of inForm([0, 100, 400], [0, 40, 100, 200, 400])) {
    const desktop = await computer.start()
    await delay(afterMs)
    expect(await desktop.quit(), `after ${afterMs} ms: ${desktop.output.join('')}`).toBe(0)
  }
})
