import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { setExpired } from '#test/support/expiry'
import { inForm } from '#test/support/form'
import type { Api, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { path, preExpensesOf, ride } from '#test/support/pre-expenses'

const instance = await instanceOfFile()
const client = preExpensesOf(instance)
const payer: Json = { id: instance.organization_id, type: 'Organization' }

const pt = { 'accept-language': 'pt' }
const api = (person: Person): Api => checked(person.api)

describe('convert', () => {
  test('creates an expense from the request, and the rest from the pre-expense', async () => {
    const pre = await client.made({ tags: 'taxi' })
    const { status, body, headers } = await client.convert(pre.id, { amount: 20, latitude: 1.5, longitude: -2.5, location: 'Centre' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      pre_expense_id: pre.id,
      status: 'awaiting_analysis',
      amount: 20,
      currency: 'BRL',
      description: 'Ride',
      occurred_at: '2026-03-04T10:00:00Z',
      tags: 'taxi',
      latitude: 1.5,
      longitude: -2.5,
      location: 'Centre',
      liquidate_through_advancement: false,
      payer: { id: instance.organization_id },
      receiver: { id: instance.member.user_id },
    })
    expect(headers.get('etag')).toBe(`"${body.uid}.${body.version}"`)
    expect((await api(instance.manager).get(`/expenses/${body.id}`)).body).toEqual(body)
    const shown = await api(instance.member).get(`${path}/${pre.id}`)
    expect(shown.body).toMatchObject({ expense_id: body.id, version: 2 })
    expect(shown.body.converted_at).toMatch(/Z$/)
    await instance.member.api.send('DELETE', `/expenses/${body.id}`)
    expect((await api(instance.member).get(`${path}/${pre.id}`)).body.expense_id).toBeNull()
    expect((await client.convert(pre.id)).status).toBe(422)
  })

  test('values in the request take precedence', async () => {
    const pre = await client.made()
    const sent = {
      amount: 1200,
      currency: 'JPY',
      occurred_at: '2026-04-05',
      description: null,
      tags: ['hotel', 'Tokyo'],
      liquidate_through_advancement: true,
    }
    expect((await client.convert(pre.id, sent)).body).toMatchObject({ ...sent, occurred_at: '2026-04-05T00:00:00Z', tags: 'hotel, Tokyo' })
    expect((await client.convert((await client.made()).id, { tags: 'one, two' })).body.tags).toBe('one, two')
    expect((await client.convert((await client.made()).id, { tags: [] })).body.tags).toBe('')
  })

  test('needs payer and amount, and a date where none is known', async () => {
    const { id } = await client.made({ occurred_at: null })
    const blank = ["can't be blank"]
    const { status, body } = await instance.member.api.send('POST', `${path}/${id}/convert`, {})
    expect({ status, body }).toEqual({ status: 422, body: { errors: { payer: blank, amount: blank } } })
    expect((await client.convert(id)).body).toEqual({ errors: { occurred_at: blank } })
    expect((await client.convert(id, { occurred_at: '2026-05-06' })).status).toBe(200)
    const known = await client.made()
    expect((await client.convert(known.id, { occurred_at: null })).body.occurred_at).toBe(known.occurred_at)
  })

  test('follows the rules of every expense, and a refusal leaves it waiting', async () => {
    const { id } = await client.made()
    expect((await client.convert(id, { payer: { id: 999_999, type: 'Organization' } })).body).toEqual({ errors: { payer: ['is invalid'] } })
    expect((await client.convert(id, { amount: -1 })).body).toEqual({ errors: { amount: ['must be greater than 0'] } })
    await setExpired(instance, true)
    const expired = await client.convert(id)
    await setExpired(instance, false)
    expect(expired.status).toBe(402)
    const organization = `/organizations/${instance.organization_id}`
    await instance.admin.api.send('PATCH', organization, { restricted_tags: true })
    const refused = await client.convert(id, { tags: ['unheard of'] })
    await instance.admin.api.send('PATCH', organization, { restricted_tags: false })
    expect(refused.body).toEqual({ errors: { tags: ['unheard of does not exist in this organization'] } })
    expect(await client.listed()).toContain(id)
    expect(
      (
        await instance.stranger.api.send('POST', `${path}/${(await client.post(ride, instance.stranger)).body.id}/convert`, {
          payer,
          amount: 1,
        })
      ).status,
    ).toBe(422)
  })

  test('twice is 422, and so is an ignored one before it is restored, in both languages', async () => {
    const { id } = await client.made()
    await client.act(id, 'ignore')
    expect((await client.convert(id)).body).toEqual({
      errors: { message: 'An ignored pre-expense must be restored before it is converted.' },
    })
    await client.act(id, 'restore')
    expect((await client.convert(id)).status).toBe(200)
    const twice = await instance.member.api.send('POST', `${path}/${id}/convert`, { payer, amount: 1 }, pt)
    expect([twice.status, twice.body.errors.message]).toEqual([422, 'A pré-despesa já foi convertida em despesa.'])
    expect((await client.act(id, 'ignore')).status).toBe(422)
    expect((await client.act(id, 'restore')).status).toBe(422)
  })

  test('two at once make one expense', async () => {
    const { id } = await client.made()
    const responses = await Promise.all([client.convert(id), client.convert(id), client.convert(id)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect((await instance.member.api.get(`/expenses?q[pre_expense_id_eq]=${id}`)).body.count).toBe(1)
  })
})

test('for any requests in any order, its list, its instants and its expenses agree', async () => {
  type Step = { what: 'ignore' | 'restore' | 'convert' | 'delete'; method: 'PUT' | 'PATCH' }
  const step: fc.Arbitrary<Step> = fc.record({
    what: fc.constantFrom('ignore', 'restore', 'restore', 'convert', 'delete'),
    method: fc.constantFrom('PUT', 'PATCH'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const { id } = await client.made()
      let state = 'waiting_approval'
      let conversions = 0
      for (const { what, method } of steps) {
        const response =
          what === 'convert'
            ? await client.convert(id)
            : what === 'delete'
              ? await instance.member.api.send('DELETE', `${path}/${id}`)
              : await instance.member.api.send(what === 'ignore' ? 'PUT' : method, `${path}/${id}/${what}`)
        const isRefused = state === 'converted' ? what !== 'delete' : what === 'convert' && state === 'ignored'
        if (state === 'deleted') expect(response.status).toBe(404)
        else if (isRefused) expect(response.status).toBe(422)
        else {
          expect(response.status).toBe(what === 'delete' ? 204 : 200)
          if (what === 'convert') conversions += 1
          state = { ignore: 'ignored', restore: 'waiting_approval', convert: 'converted', delete: 'deleted' }[what]
        }
      }
      const lists = ['waiting_approval', 'ignored', 'converted']
      for (const name of lists) {
        const { body } = await instance.member.api.get(`${path}?status=${name}&q[id_eq]=${id}`)
        expect(body.count).toBe(name === state ? 1 : 0)
      }
      expect((await instance.member.api.get(`/expenses?q[pre_expense_id_eq]=${id}`)).body.count).toBe(conversions)
    }),
    { numRuns: inForm(8, 25) },
  )
})
