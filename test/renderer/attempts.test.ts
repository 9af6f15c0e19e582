import { expect, test } from 'vitest'
import { ApiError } from '../../src-renderer/api/client'
import { Attempts } from '../../src-renderer/state/attempts'

/** Sends that end as told, one after the other, and the keys that they were sent under. */
function sending(...ends: Array<'made' | number>) {
  const keys: string[] = []
  let count = 0
  const attempts = new Attempts<string>(() => `key ${(count += 1)}`)
  const send = async (key: string) => {
    const end = ends[keys.length]
    keys.push(key)
    await Promise.resolve()
    if (typeof end === 'number') throw new ApiError(end, '')
    return key
  }
  return { keys, run: (asked: unknown) => attempts.run(asked, send).catch((error: ApiError) => error.status) }
}

test('a second click while the first is on its way is the same request', async () => {
  const { keys, run } = sending('made', 'made')
  expect(await Promise.all([run('all'), run('all')])).toEqual(['key 1', 'key 1'])
  expect(keys).toEqual(['key 1'])
})

test.each([0, 409, 500, 503])('what ended with %d is tried again under its key', async (status) => {
  const { keys, run } = sending(status, 'made')
  expect([await run('all'), await run('all')]).toEqual([status, 'key 1'])
  expect(keys).toEqual(['key 1', 'key 1'])
})

test('what was made, was refused or is asked otherwise has a new key', async () => {
  const { run } = sending('made', 422, 0, 'made', 'made')
  expect([await run('all'), await run('all'), await run('all'), await run('some'), await run('all')]).toEqual([
    'key 1',
    422,
    0,
    'key 4',
    'key 5',
  ])
})
