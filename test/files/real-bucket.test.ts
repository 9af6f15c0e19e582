import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { bucketOf, readSettings } from '#main/config/settings'
import { BlobMissing } from '#main/files/blob-store'
import { openBlobStore } from '#main/files/open-blob-store'
import { initFolder, runProgram, startProgram } from '#test/support/built-program'
import { type BuiltServer, clientOf, isBuilt, startBuilt } from '#test/support/built-server'
import { pdf } from '#test/files/samples'
import { uploadFile } from '#test/support/upload'

// A real S3: `node scripts/radosgw.mjs npx vitest run test/files/real-bucket.test.ts`.
const place = bucketOf(readSettings('/nowhere', process.env))
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('OUTLAY_BUCKET_')))
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function open(settings: object = {}) {
  const root = await mkdtemp(join(tmpdir(), 'outlay-real-'))
  const blobs = await openBlobStore(root, { place: place && { ...place, ...settings }, clock: systemClock })
  return { blobs, root, close: () => (blobs.close(), rm(root, { recursive: true, force: true })) }
}

describe.runIf(place)('a real S3', () => {
  test('keeps, gives in parts, lists, verifies and removes files', async () => {
    const { blobs, close } = await open()
    const contents = [Buffer.alloc(0), Buffer.from('a'), randomBytes(5_000_000)]
    for (const bytes of contents) {
      await blobs.keep(await blobs.receive(Readable.from([bytes]), { maxBytes: 1e8 }))
      const sha256 = hashOf(bytes)
      expect(await blobs.find(sha256)).toEqual({ sha256, bytes: bytes.length })
      expect(Buffer.concat(await blobs.createReadStream(sha256).toArray()).equals(bytes)).toBe(true)
      expect(await blobs.verify(sha256)).toEqual({ kind: 'intact' })
    }
    const large = contents[2] ?? Buffer.alloc(0)
    const part = Buffer.concat(await blobs.createReadStream(hashOf(large), { start: 4_000_000, end: 4_000_099 }).toArray())
    expect(part.equals(large.subarray(4_000_000, 4_000_100))).toBe(true)
    const listed = (await Array.fromAsync(blobs.list())).map(({ sha256 }) => sha256)
    for (const bytes of contents) expect(listed).toContain(hashOf(bytes))
    await blobs.pictures.keep(hashOf(large), 'thumb', { bytes: Buffer.from('picture'), content_type: 'image/png' })
    const other = await open()
    expect(await other.blobs.pictures.find(hashOf(large), 'thumb')).toMatchObject({ content_type: 'image/png', bytes: 7 })
    for (const bytes of contents) await blobs.remove(hashOf(bytes))
    await expect(blobs.withFile(hashOf(large), () => Promise.resolve())).rejects.toThrow(BlobMissing)
    await Promise.all([close(), other.close()])
  })

  test('refuses other bytes, a wrong key and a bucket that is not there', async () => {
    const { blobs, close } = await open()
    const received = await blobs.receive(Readable.from([Buffer.from('x')]), { maxBytes: 10 })
    await expect(blobs.keep({ ...received, sha256: 'a'.repeat(64) })).rejects.toThrow(/XAmzContentSHA256Mismatch|BadDigest/)
    expect(await blobs.has('a'.repeat(64))).toBe(false)
    const wrong = await open({ secret_access_key: 'wrong' })
    await expect(wrong.blobs.keep(received)).rejects.toThrow(/403 SignatureDoesNotMatch/)
    const missing = await open({ url: `${place?.url}-missing` })
    await expect(missing.blobs.keep(received)).rejects.toThrow(/404 NoSuchBucket/)
    await Promise.all([close(), wrong.close(), missing.close()])
  })

  test('writes an object once, however many write it, and loses none to who removes old ones', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open()))
    for (let round = 0; round < 10; round += 1) {
      const bytes = Buffer.from(`round ${round}`)
      const sha256 = hashOf(bytes)
      const keep = async ({ blobs }: (typeof stores)[number]) => blobs.keep(await blobs.receive(Readable.from([bytes]), { maxBytes: 100 }))
      await Promise.all([...stores, ...stores].map(keep))
      await sleep(1_100)
      await Promise.all([
        ...stores.map(({ blobs }) => blobs.removeOld(sha256, new Date(Date.now() - 1))),
        ...stores.map(({ blobs }) => blobs.removeOld(sha256, new Date(Date.now() - 3_600_000))),
      ])
      expect(await stores[0]?.blobs.has(sha256)).toBe(false)
      await Promise.all(stores.map(keep))
      expect(await stores[1]?.blobs.has(sha256)).toBe(true)
    }
    await Promise.all(stores.map(({ close }) => close()))
  })

  test.runIf(isBuilt)('what was acknowledged before a kill is there after it', { timeout: 600_000 }, async () => {
    const rounds = Number(process.env.OUTLAY_KILLS ?? 15)
    const data = await mkdtemp(join(tmpdir(), 'outlay-real-kill-'))
    const { token, organization_id } = await initFolder(data)
    const noted: Array<{ id: number; sha256: string }> = []
    let expense_id = 0
    for (let round = 0; round <= rounds; round += 1) {
      const server = await startBuilt(data)
      const { api } = clientOf(server, token)
      const body = { payer: { id: organization_id }, amount: 1, occurred_at: '2026-01-01' }
      if (round === 0) expense_id = (await api.send('POST', '/expenses', body)).body.id
      if (round === rounds) {
        await server.stop()
        break
      }
      const clients = [0, 1, 2].map((client) => work(server, { token, expense_id, name: `${round}-${client}` }, noted))
      const least = noted.length + 2
      while (noted.length < least) await sleep(5)
      await sleep((round * 137) % 400)
      await server.kill()
      await Promise.all(clients)
    }
    const { blobs, close } = await open()
    const verified = await Promise.all(noted.map(async ({ sha256 }) => (await blobs.verify(sha256)).kind))
    console.log(`${rounds} kills: ${noted.length} files acknowledged, ${verified.filter((kind) => kind !== 'intact').length} lost`)
    expect(verified.every((kind) => kind === 'intact')).toBe(true)
    const { result } = await startProgram(['doctor', '--files', '--data', data], env).ended
    // What was kept and has no row is younger than the doctor's hour; nothing else may be wrong.
    expect(result).toEqual({ ok: true, problems: [] })
    expect((await readdir(join(data, 'blobs')).catch(() => [])).length).toBe(0)
    const backup = await startProgram(['backup', join(data, 'a.tar'), '--data', data], env).ended
    expect(backup).toMatchObject({ code: 0, result: { ok: true } })
    const back = await startProgram(['files', 'copy', '--to', 'folder', '--data', data], env).ended
    expect(back.result).toMatchObject({ ok: true, problems: [] })
    expect((await runProgram('doctor', '--data', data)).result).toEqual({ ok: true, problems: [] })
    await close()
    await rm(data, { recursive: true })
  })
})

async function work(
  server: BuiltServer,
  { token, expense_id, name }: { token: string; expense_id: number; name: string },
  noted: Array<{ id: number; sha256: string }>,
) {
  const person = clientOf(server, token)
  for (let count = 0; ; count += 1) {
    try {
      const bytes = pdf({ content: `% ${name} ${count}\n` })
      const file = await uploadFile(person, { bytes, name: `${name}-${count}.pdf`, type: 'application/pdf' })
      const { status, body } = await person.api.send('POST', `/expenses/${expense_id}/attachments`, { file })
      if (status === 201) noted.push({ id: body.id, sha256: hashOf(bytes) })
    } catch (error) {
      if (error instanceof TypeError) return
      throw error
    }
  }
}
