import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Export } from '#shared/contract/instance/exports'
import type { Api, Person } from '#test/support/instance'

/** The export once nothing goes on with it any more. */
export async function settledExport(api: Api, { id }: Pick<Export, 'id'>): Promise<Export> {
  return vi.waitFor(
    async () => {
      const { body } = await api.get<Export>(`/exports/${id}`)
      if (body.state === 'waiting' || body.state === 'running') throw new Error(`It is still ${body.state}.`)
      return body
    },
    { timeout: 120_000, interval: 20 },
  )
}

/** Asks for an export, waits for it and fetches its file. */
export async function exportAs(person: Pick<Person, 'api'>, asked: object): Promise<{ made: Export; bytes: Buffer }> {
  const { status, body } = await person.api.send('POST', '/exports', asked)
  if (status !== 201) throw new Error(`The export was refused: ${JSON.stringify(body)}`)
  const made = await settledExport(person.api, body)
  if (made.url === null) throw new Error(`The export failed: ${made.message}`)
  const response = await fetch(made.url)
  return { made, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Writes a file of an export where other programs read it. */
export async function saved(folder: string, name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}
