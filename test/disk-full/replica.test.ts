import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { attach } from '#test/support/attach'
import { newExpense, recordExpense } from '#test/support/expenses'
import { runProgram } from '#test/support/built-program'
import { type Instance, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'
import { mountSmallDisk } from '#test/support/disks/small-disk'
import { countStates, readRows } from '#test/support/sync/sync-pair'

const disk = mountSmallDisk(32)
const folder = disk?.path ?? ''
afterAll(() => disk?.unmount())

describe.skipIf(disk === undefined)('an exchange (needs root, to mount a small disk)', () => {
  let remote: Instance
  let replica: ReplicaInstance
  afterEach(async () => {
    await replica.close()
    await remote.close()
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
  })
  const enter = async () => {
    const made = (await replica.api.send('POST', '/expenses', newExpense(remote, { description: 'from the replica' }))).body
    await attach(replica.api, made.id, 'a.png')
  }
  const expectInStep = async () => {
    expect(await replica.sync()).toMatchObject({ ended: 'synced', conflicts: 0, failed: 0 })
    expect(await readRows(replica.folder)).toEqual(await readRows(remote.folder))
    expect(countStates(replica.folder)).toEqual({ settled: 2 })
  }

  describe('with a replica whose disk is full', () => {
    beforeEach(async () => {
      remote = await startInstance()
      replica = await startReplica(remote.url, remote.admin, { folder })
      await replica.sync()
      await enter()
      await recordExpense(remote, remote.admin, { description: 'from the remote' })
      disk?.fill()
    })

    test('says so, changes nothing, and continues where it was once there is room', async () => {
      const before = await readRows(folder)
      const said = 'The disk here is full. Make room: the next exchange goes on where this one was.'
      expect(await replica.sync()).toMatchObject({ ended: 'offline', error: said })
      expect((await replica.api.get('/replica')).body).toMatchObject({ activity: 'offline', last_error: said, stop: null })
      expect(await readRows(folder)).toEqual(before)
      disk?.makeRoom()
      await expectInStep()
      expect((await replica.api.get('/replica')).body).toMatchObject({ activity: 'idle', last_error: null })
    })

    test('says so on the command line, in one line', async () => {
      await replica.close()
      const { code, stderr } = await runProgram('sync', '--data', folder)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^The disk[^\n]* is full[^\n]*\n$/) })
      disk?.makeRoom()
      replica = await startReplica(remote.url, remote.admin, { folder })
      await expectInStep()
    })
  })

  test('with a remote whose disk is full says so, and sends everything once when there is room', async () => {
    remote = await startInstance({ folder })
    replica = await startReplica(remote.url, remote.admin)
    await replica.sync()
    await enter()
    const before = await readRows(folder)
    disk?.fill()
    expect(await replica.sync()).toMatchObject({ ended: 'offline', error: 'The disk of the remote is full. Free some space there.' })
    expect(await readRows(folder)).toEqual(before)
    disk?.makeRoom()
    await expectInStep()
  })
})
