import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBlobStore } from '#main/files/blob-store'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { initFolder } from '#test/support/built-program'
import { type BuiltServer, clientOf, isBuilt, startBuilt } from '#test/support/built-server'
import { pdf } from '#test/files/samples'
import { inForm } from '#test/support/form'
import { uploadFile } from '#test/support/upload'

const rounds = inForm(3, 15)
const clientsAtOnce = 3

/** What a client was told is stored. */
interface Acknowledged {
  readonly location: string
  readonly sha256: string
  attachment_id?: number
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Uploads and attaches, one file after the other, until the server is gone; notes only what was answered with 201. */
async function work(
  { server, token, expense_id, client }: { server: BuiltServer; token: string; expense_id: number; client: string },
  noted: Acknowledged[],
) {
  const person = clientOf(server, token)
  for (let count = 0; ; count += 1) {
    try {
      // Every file is another: the name of its client and its number are painted into it.
      const bytes = pdf({ height: 40, content: `% ${client} ${count}\n${'0 0 1 rg 0 0 300 600 re f '.repeat(count % 7)}` })
      const one: Acknowledged = {
        location: await uploadFile(person, { bytes, name: `${client}-${count}.pdf`, type: 'application/pdf' }),
        sha256: hashOf(bytes),
      }
      noted.push(one)
      const { status, body } = await person.api.send('POST', `/expenses/${expense_id}/attachments`, { file: one.location })
      expect(status).toBe(201)
      one.attachment_id = body.id
    } catch (error) {
      // What fetch throws when the other side is gone.
      if (error instanceof TypeError) return
      throw error
    }
  }
}

async function listAll(server: BuiltServer, token: string, expense_id: number): Promise<AttachmentRepresentation[]> {
  const { api } = clientOf(server, token)
  const all: AttachmentRepresentation[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await api.get(`/expenses/${expense_id}/attachments?per_page=100&page=${page}`)
    all.push(...body.attachments)
    if (page >= body.total_pages) return all
  }
}

test.runIf(isBuilt)(
  'whatever was acknowledged before a kill is there after it, whole, and nothing else half',
  { timeout: 300_000 },
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'outlay-kill-'))
    try {
      const { token, organization_id } = await initFolder(data)
      const noted: Acknowledged[] = []
      let expense_id = 0
      for (let round = 0; round <= rounds; round += 1) {
        const server = await startBuilt(data)
        const { api } = clientOf(server, token)
        if (round === 0)
          expense_id = (await api.send('POST', '/expenses', { payer: { id: organization_id }, amount: 1, occurred_at: '2026-01-01' })).body
            .id
        const attached = await listAll(server, token, expense_id)
        const byId = new Map(attached.map((one) => [one.id, one]))
        for (const { attachment_id } of noted) if (attachment_id !== undefined) expect(byId.has(attachment_id)).toBe(true)
        expect((await api.get(`/expenses/${expense_id}`)).body.attachments_count).toBe(attached.length)
        if (round === rounds) {
          await verify({ server, token, expense_id }, attached, noted)
          await server.stop()
          break
        }
        const clients = Array.from({ length: clientsAtOnce }, (_, index) =>
          work({ server, token, expense_id, client: `${round}-${index}` }, noted),
        )
        // However busy the machine is, there is something to lose.
        const countAttached = () => noted.filter(({ attachment_id }) => attachment_id !== undefined).length
        const least = countAttached() + clientsAtOnce
        while (countAttached() < least) await sleep(5)
        await sleep((round * 137) % 500)
        await server.kill()
        await Promise.all(clients)
      }
      expect(noted.filter(({ attachment_id }) => attachment_id !== undefined).length).toBeGreaterThan(rounds)
      const blobs = createBlobStore(data, { randomId: () => 'unused' })
      for await (const { sha256 } of blobs.list()) expect(await blobs.verify(sha256)).toEqual({ kind: 'intact' })
    } finally {
      await rm(data, { recursive: true, force: true })
    }
  },
)

/** Every file that is listed can be read and is what was sent; every Location acknowledged can still be attached. */
async function verify(
  { server, token, expense_id }: { server: BuiltServer; token: string; expense_id: number },
  attached: readonly AttachmentRepresentation[],
  noted: readonly Acknowledged[],
) {
  for (const { url, bytes } of attached) {
    const response = await fetch(url.replace(/^http:\/\/[^/]+/, server.url))
    expect(response.status).toBe(200)
    const content = new Uint8Array(await response.arrayBuffer())
    expect(content.length).toBe(bytes)
    expect(url).toContain(hashOf(content))
  }
  const { api } = clientOf(server, token)
  for (const { location, sha256, attachment_id } of noted) {
    if (attachment_id !== undefined) expect(attached.find(({ id }) => id === attachment_id)?.url).toContain(sha256)
    else expect((await api.send('POST', `/expenses/${expense_id}/attachments`, { file: location })).body.url).toContain(sha256)
  }
}
