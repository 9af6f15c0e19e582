import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { initOrganization, makeOrganization, runCli } from '#test/e2e/support/served'
import { type Desktop, type Launching, launch } from '#test/desktop/support/launch'

/** A computer of a person: the shell's folder, the data folder, and what runs. Everything is ended and removed after the test. */
export interface Computer {
  readonly folder: string
  readonly data: string
  start(more?: Omit<Launching, 'folder'>): Promise<Desktop>
}

const cleanUps: (() => Promise<unknown>)[] = []

/** Ends and removes the computers of each test. A hook in this file would be heard by the first spec of a process only. */
export const test = base.extend<{ computers: undefined }>({
  computers: [
    async ({ browserName: _ }, use) => {
      await use(undefined)
      while (cleanUps.length > 0) await cleanUps.pop()?.()
    },
    { auto: true },
  ],
})

/**
 * A computer on which nothing was done yet; `hasOrganization`: Ana Souza has made Acme on it;
 * `isCopy`: the same Acme as on other computers, which must not meet. `table`: expenses to import.
 */
export async function makeComputer({ hasOrganization = true, isCopy = true, table = '' } = {}): Promise<Computer> {
  const top = await mkdtemp(join(tmpdir(), 'outlay-desktop-'))
  cleanUps.push(() => rm(top, { recursive: true, force: true, maxRetries: 5 }))
  const folder = join(top, 'shell')
  const data = join(top, 'data')
  if (hasOrganization) await (isCopy ? makeOrganization : initOrganization)(data)
  if (table !== '') await runCli('import', 'expenses', table, '--organization', '1', '--data', data)
  return {
    folder,
    data,
    start: async ({ env, ...more } = {}) => {
      const desktop = await launch({ ...more, folder, env: { OUTLAY_DATA: data, OUTLAY_LOG: 'warn', ...env } })
      cleanUps.push(() => desktop.kill())
      return desktop
    },
  }
}
