import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { inForm } from '#test/support/form'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()

/** Few suppliers, prices and days, so that prices become usual and suppliers frequent while they are recorded. */
const purchase = fc.record({
  supplier_name: fc.constantFrom('Metro', 'Cantina', null),
  amount: fc.constantFrom(10, 20),
  day: fc.nat(44),
  description: fc.constantFrom('Ride', 'Ride home', null),
})
const dayOf = (day: number) => new Date(Date.UTC(2026, 2, 1 + day)).toISOString().slice(0, 10)

test('what an expense repeats is the same when it is judged again, whatever was recorded after it', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.array(purchase, { minLength: 1, maxLength: 12 }), { minLength: 4, maxLength: 8 }), async (writes) => {
      const { api } = instance.admin
      const { body: payer } = await api.send('POST', '/organizations', { name: 'Own', default_currency: 'BRL' })
      for (const write of writes) {
        const operations = write.map(({ day, ...rest }) => ({
          ...{ method: 'POST', path: '/expenses' },
          body: { ...rest, payer_id: payer.id, currency: 'BRL', occurred_at: dayOf(day) },
        }))
        const { body } = await api.send('POST', '/batch', { operations })
        expect(new Set(body.results.map(({ status }: Json) => status))).toEqual(new Set([201]))
      }
      const flags = async (condition: string): Promise<Array<[id: number, value: number]>> => {
        const { body } = await api.get(`/expenses?q[payer_id_eq]=${payer.id}&per_page=100`)
        return body.expenses.flatMap(({ id, flags: found }: Json) =>
          found.flatMap((flag: Json) => (flag.condition === condition ? [[id, flag.value]] : [])),
        )
      }
      const before = await flags('repeat')
      const policy = { name: 'All', weight: 'note', condition: 'amount_over', amount: 1, currency: 'BRL' }
      expect((await api.send('POST', `/organizations/${payer.id}/policies`, policy)).status).toBe(201)
      await vi.waitFor(async () => expect(await flags('amount_over')).toHaveLength(writes.flat().length), 60_000)
      expect(await flags('repeat')).toEqual(before)
    }),
    { numRuns: inForm(6, 40), seed: 11 },
  ))
