import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { initFolder } from '#test/support/built-program'
import { clientOf, isBuilt, startBuilt } from '#test/support/built-server'
import { inForm } from '#test/support/form'
import { startReceiver } from '#test/support/receiver'

const rounds = inForm(2, 6)
const settings = { OUTLAY_WEBHOOK_ALLOW_PRIVATE: '1', OUTLAY_WEBHOOK_BACKOFF_MS: '5', OUTLAY_WEBHOOK_TIMEOUT_MS: '2000' }

test.runIf(isBuilt)(
  'every event acknowledged before a kill is delivered after it, in order; a repeated delivery is complete',
  { timeout: 300_000 },
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'outlay-webhook-kill-'))
    // Slow and failing now and then: there is always something on its way when the server is killed.
    const receiver = await startReceiver((response, count) => {
      response.statusCode = count % 7 === 3 ? 503 : 200
      setTimeout(() => response.end(), count % 5)
    })
    const told = new Set<number>()
    const acknowledged: number[] = []
    try {
      const { token, organization_id } = await initFolder(data)
      let path = ''
      for (let round = 0; round <= rounds; round += 1) {
        const server = await startBuilt(data, settings)
        const { api } = clientOf(server, token)
        const hooks = `/organizations/${organization_id}/integrations/webhooks`
        if (round === 0) path = `${hooks}/${(await api.send('POST', hooks, { url: receiver.url })).body.id}/deliveries`
        if (round === rounds) {
          await vi.waitFor(async () => expect((await api.get(path)).body.deliveries[0].state).toBe('delivered'), {
            timeout: 60_000,
            interval: 50,
          })
          await server.stop()
          break
        }
        const record = async () => {
          for (;;) {
            const expense = { payer: { id: organization_id }, amount: 1, occurred_at: '2026-01-01' }
            try {
              const { status, body } = await api.send('POST', '/expenses', expense)
              if (status === 201) acknowledged.push(body.id)
            } catch (error) {
              // What fetch throws when the other side is gone.
              if (error instanceof TypeError) return
              throw error
            }
          }
        }
        const recording = record()
        const least = acknowledged.length + 2
        while (acknowledged.length < least) await sleep(5)
        await sleep((round * 137) % 400)
        await server.kill()
        await recording
      }
      const order: number[] = []
      for (const { body } of receiver.received) {
        const { id } = body.expense
        if (!told.has(id)) order.push(id)
        told.add(id)
      }
      expect(acknowledged.length).toBeGreaterThan(rounds)
      expect(acknowledged.filter((id) => !told.has(id))).toEqual([])
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    } finally {
      await receiver.close()
      await rm(data, { recursive: true, force: true })
    }
  },
)
