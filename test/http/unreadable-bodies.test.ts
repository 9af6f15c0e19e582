import { describe, expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { recordExpense } from '#test/support/expenses'
import type { Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const own = `/expenses/${(await recordExpense(instance, instance.member)).id}`

const json = { 'content-type': 'application/json' }
const kinds: ReadonlyArray<readonly [name: string, status: number, headers: Record<string, string>, body: string | Buffer]> = [
  ['broken JSON', 400, json, '{"description": '],
  ['no object', 400, json, '[1]'],
  ['more names than any body has', 400, json, `{${Array.from({ length: 6_000 }, (_, index) => `"a${index}": 1`).join()}}`],
  ['bytes that are no UTF-8', 400, json, Buffer.from('{"description": "caf\xe9"}', 'latin1')],
  ['another charset', 415, { 'content-type': 'application/json; charset=iso-8859-1' }, '{}'],
  ['another type', 415, { 'content-type': 'text/plain' }, 'hello'],
  ['packed JSON', 415, { ...json, 'content-encoding': 'gzip' }, gzipSync('{"description": "Bus"}')],
  ['too many bytes', 413, json, `{"description": "${'x'.repeat(1024 * 1024)}"}`],
]

async function patch(person: Pick<Person, 'token'>, path: string, headers: Record<string, string>, body: string | Buffer) {
  const authorization = `Basic ${Buffer.from(`${person.token}:`).toString('base64')}`
  const response = await fetch(`${instance.url}/api/v1${path}`, {
    method: 'PATCH',
    headers: { authorization, 'user-agent': 'tests', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return response.status
}

describe.each(kinds)('%s', (_name, status, headers, body) => {
  test(`is ${status} to who may write the record`, async () => {
    expect(await patch(instance.member, own, headers, body)).toBe(status)
  })

  test('is shown to no one else', async () => {
    expect(await patch({ token: 'wrong' }, own, headers, body)).toBe(401)
    expect(await patch(instance.stranger, own, headers, body)).toBe(404)
    expect(await patch(instance.member, '/expenses/987654', headers, body)).toBe(404)
    expect(await patch(instance.member, own, { ...headers, 'if-match': '"of.another.1"' }, body)).toBe(412)
  })
})

test.each(['application/json; charset=utf-8', 'application/json; charset="UTF-8"', 'application/json;charset=utf8'])(
  '%s is read',
  async (type) => {
    expect(await patch(instance.member, own, { 'content-type': type }, '{"description": "Café"}')).toBe(200)
  },
)
