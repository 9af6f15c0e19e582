import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createBlobStore } from '#main/files/blob-store'
import { pdf } from '#test/files/samples'
import { listProcessed, sendCapture } from '#test/support/captures'
import { startInstance } from '#test/support/instance'
import { mountSmallDisk } from '#test/support/disks/small-disk'

const disk = mountSmallDisk(8)
const folder = disk?.path ?? ''
afterAll(() => disk?.unmount())

test.skipIf(disk === undefined)(
  'on a full disk a capture is refused with what to do, nothing of it stays, and what was saved is whole (needs root, to mount a small disk)',
  async () => {
    const instance = await startInstance({ folder })
    try {
      const sender = { token: instance.member.token, url: instance.url }
      const send = (name: string) =>
        sendCapture(sender, { bytes: pdf({ height: 40, content: `% ${name} ${'0 '.repeat(200)}` }), name: `${name}.pdf` })
      expect((await send('before')).status).toBe(201)
      disk?.fill()
      const { status, body } = await send('while it is full')
      expect([status, body.errors.message]).toEqual([507, expect.stringMatching(/disk is full.*Make room/)])
      expect(await readdir(join(folder, 'incoming'))).toEqual([])
      disk?.makeRoom()
      expect((await send('after')).status).toBe(201)
      const captures = await listProcessed(instance.member)
      expect(captures.map(({ file_name }) => file_name)).toEqual(['after.pdf', 'before.pdf'])
      const blobs = createBlobStore(folder, { randomId: () => 'unused' })
      for await (const { sha256 } of blobs.list()) expect(await blobs.verify(sha256)).toEqual({ kind: 'intact' })
    } finally {
      await instance.app.close()
    }
  },
)
