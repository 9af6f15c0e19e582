import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Capture } from '#shared/contract/captures'
import { createBlobStore } from '#main/files/blob-store'
import { initFolder } from '#test/support/built-program'
import { type BuiltServer, clientOf, isBuilt, runBuilt, startBuilt } from '#test/support/built-server'
import { listProcessed, sendCapture } from '#test/support/captures'
import { inForm } from '#test/support/form'

const kills = process.env.TORTURE === 'captures' ? Number(process.env.TORTURE_COUNT ?? 100) : inForm(2, 6)
const sendersAtOnce = 4

/** What a person was told is saved. */
interface Saved {
  readonly id: number
  readonly sha256: string
  readonly bytes: number
}

/** A photo that lies on its side, of which the processing makes another file; each is another. */
async function makePhoto(): Promise<Buffer> {
  const image = sharp({ create: { width: 320, height: 240, channels: 3, background: '#b08040' } })
  return image.withMetadata({ orientation: 6 }).jpeg().toBuffer()
}

/** Captures one file after the other, so many or until the server is gone; notes only what was answered with 201. */
async function work(
  sender: { url: string; token: string },
  photo: Buffer,
  { name, most, saved }: { name: string; most: number; saved: Saved[] },
) {
  for (let count = 0; count < most; count += 1) {
    // What stands behind the end of a picture is no part of it: so each is another, and some are large.
    const bytes = Buffer.concat([photo, Buffer.alloc((count % 5) * 100_000), Buffer.from(`${name} ${count}`)])
    try {
      const { status, body } = await sendCapture(sender, { bytes, name: `${name}-${count}.jpg` })
      expect(status).toBe(201)
      saved.push({ id: body.id, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length })
    } catch (error) {
      // What fetch throws when the other side is gone, and what is left of an answer that was cut off.
      if (error instanceof TypeError || error instanceof SyntaxError) return
      throw error
    }
  }
}

async function listAll(server: BuiltServer, token: string): Promise<Capture[]> {
  const all: Capture[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await clientOf(server, token).api.get(`/captures?per_page=100&page=${page}`)
    all.push(...body.captures)
    if (page >= body.total_pages) return all
  }
}

/** Everything that was said to be saved is listed, and what lies under its hash is what was sent. */
async function verify(saved: readonly Saved[], listed: readonly Capture[], data: string): Promise<void> {
  const byId = new Map(listed.map((one) => [one.id, one]))
  const blobs = createBlobStore(data, { randomId: () => 'unused' })
  for (const { id, sha256, bytes } of saved) {
    expect(byId.get(id)).toBeDefined()
    expect(await blobs.open(sha256)).toMatchObject({ bytes })
    expect(await blobs.verify(sha256)).toEqual({ kind: 'intact' })
  }
}

test.runIf(isBuilt)(
  `every file that was said to be saved is there after ${kills} kills, whole, and is processed in the end`,
  { timeout: 60_000 + kills * 10_000 },
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'outlay-capture-kill-'))
    try {
      const { token } = await initFolder(data)
      const photo = await makePhoto()
      const saved: Saved[] = []
      let since = 0
      for (let round = 0; round < kills; round += 1) {
        const server = await startBuilt(data)
        await verify(saved.slice(since), await listAll(server, token), data)
        since = saved.length
        // Every other time the senders pause, and the kill meets the processing of what they sent.
        const most = round % 2 === 0 ? Infinity : 3
        const senders = Array.from({ length: sendersAtOnce }, (_, index) =>
          work({ url: server.url, token }, photo, { name: `${round}-${index}`, most, saved }),
        )
        // However busy the machine is, there is something to lose.
        while (saved.length < since + 2) await sleep(5)
        await sleep((round * 137) % 700)
        await server.kill()
        await Promise.all(senders)
      }
      const server = await startBuilt(data)
      await listProcessed(clientOf(server, token))
      const listed = await listAll(server, token)
      await verify(saved, listed, data)
      expect(saved.length).toBeGreaterThan(kills)
      expect(listed.filter(({ state }) => state === 'unusable')).toEqual([])
      await server.stop()
      const { problems } = await runBuilt<{ problems: string[] }>('doctor', '--data', data)
      expect(problems).toEqual([])
      if (process.env.TORTURE === 'captures') console.log(`${kills} kills, ${saved.length} captures answered, ${listed.length} listed`)
    } finally {
      await rm(data, { recursive: true, force: true })
    }
  },
)
