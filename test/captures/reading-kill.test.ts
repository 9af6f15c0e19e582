import Database from 'better-sqlite3'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawReceipt } from '#main/demo/receipts'
import { initFolder } from '#test/support/built-program'
import { type BuiltServer, clientOf, isBuilt, runBuilt, startBuilt } from '#test/support/built-server'
import { capture } from '#test/support/captures'
import { inForm } from '#test/support/form'

const files = inForm(3, 20)
/** The parts that each perceptual hash is found by. */
const bandsOfPicture = 16

function readRows(data: string): { read: number; unread: number; bands: number } {
  const db = new Database(join(data, 'outlay.db'), { readonly: true })
  try {
    const count = (sql: string) => Number(db.prepare(sql).pluck().get())
    return {
      read: count('SELECT count(*) FROM picture_hashes WHERE is_read = 1 AND hash IS NOT NULL'),
      unread: count('SELECT count(*) FROM picture_hashes WHERE is_read = 0'),
      bands: count('SELECT count(*) FROM picture_bands'),
    }
  } finally {
    db.close()
  }
}

test.runIf(isBuilt)(
  'files that are stored and not yet read when the server is killed are read after the next start, each once',
  { timeout: 180_000 },
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'outlay-reading-kill-'))
    let server: BuiltServer | undefined
    try {
      const { token, organization_id } = await initFolder(data)
      server = await startBuilt(data)
      const { url } = server
      const drawn = await drawReceipt(
        { kind: 'photo', supplier: 'Cantina', lines: [['Coffee', 12]] },
        { day: '2026-03-04', currency: 'BRL' },
      )
      const copies = await Promise.all(
        Array.from({ length: files }, (_, index) =>
          sharp(drawn.bytes)
            .jpeg({ quality: 90 - index })
            .toBuffer(),
        ),
      )
      const captured = await Promise.all(copies.map((bytes, index) => capture({ token, url }, { bytes, name: `${index}.jpg` })))
      await server.kill()
      expect(readRows(data).unread).toBeGreaterThan(0)

      server = await startBuilt(data)
      const { api } = clientOf(server, token)
      await expect.poll(() => readRows(data), { timeout: 60_000 }).toEqual({ read: files, unread: 0, bands: files * bandsOfPicture })
      // One of them on an expense is found by another one.
      const body = { payer: { id: organization_id, type: 'Organization' }, amount: 12, currency: 'BRL', occurred_at: '2026-03-04' }
      const { id: expense_id } = (await api.send('POST', '/expenses', body)).body
      const [one, other] = captured
      expect((await api.send('POST', '/captures/attach', { expense_id, capture_ids: [one?.id] })).status).toBe(201)
      const asked = `amount=12&currency=BRL&occurred_at=2026-08-01&capture_ids=${other?.id ?? 0}`
      const { repeats } = (await api.get(`/organizations/${organization_id}/repeats?${asked}`)).body
      expect(repeats).toMatchObject([{ expense: { id: expense_id }, evidence: ['picture'] }])
      await server.stop()
      server = undefined
      expect(await runBuilt('doctor', '--data', data)).toEqual({ ok: true, problems: [] })
    } finally {
      await server?.kill()
      await rm(data, { recursive: true, force: true })
    }
  },
)
