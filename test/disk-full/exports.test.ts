import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import type { Export } from '#shared/contract/instance/exports'
import { exportAs, settledExport } from '#test/support/exports'
import { startInstance } from '#test/support/instance'
import { mountSmallDisk } from '#test/support/disks/small-disk'

const disk = mountSmallDisk(8)
const folder = disk?.path ?? ''
afterAll(() => disk?.unmount())

test.skipIf(disk === undefined)(
  'on a full disk an export is refused with what to do, and no half file stays (needs root, to mount a small disk)',
  async () => {
    const instance = await startInstance({ folder })
    try {
      await recordExpense(instance, instance.member, { amount: 1 })
      disk?.fill()
      const { status, body } = await instance.member.api.send('POST', '/exports', { format: 'csv' })
      expect([status, body.errors.message]).toEqual([507, expect.stringMatching(/disk is full.*Make room/)])
      const left = await Promise.all(['exports', 'desk/exports'].map((name) => readdir(join(folder, name)).catch(() => [])))
      expect(left.flat()).toEqual([])
      disk?.makeRoom()
      const { api } = instance.member
      const asked = await Promise.all([1, 2, 3].map(() => api.send<Export>('POST', '/exports', { format: 'pdf' })))
      disk?.fill()
      const settled = await Promise.all(asked.map(({ body: one }) => settledExport(api, one)))
      expect(settled.map(({ state, message }) => [state, message])).toContainEqual([
        'failed',
        expect.stringMatching(/disk of the server is full/),
      ])
      disk?.makeRoom()
      expect((await exportAs(instance.member, { format: 'csv' })).made.state).toBe('finished')
    } finally {
      await instance.app.close()
    }
  },
)
