import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Instance, type InstanceOptions, startInstance } from '#test/support/instance'

/** What all tests of a file share; it is removed after the last one, and what was made last goes first. */

/** Starts an instance. */
export async function instanceOfFile(options?: InstanceOptions): Promise<Instance> {
  const instance = await startInstance(options)
  afterAll(() => instance.remove())
  return instance
}

/** Makes an empty folder; `name`: how its name begins. */
export function folderOfFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
