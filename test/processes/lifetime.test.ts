import { expect, test } from 'vitest'
import { Lifetime } from '#main/lifetime'
import { countHeld } from '#test/support/collect-garbage'

test('what waits is answered, or hears the end, whichever comes first; and what comes later hears it at once', async () => {
  const lifetime = new Lifetime<string>()
  expect(await lifetime.during(Promise.resolve('answered'))).toBe('answered')
  await expect(lifetime.during(Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  const { promise: never } = Promise.withResolvers<string>()
  const waiting = [lifetime.during(never), lifetime.during(never)]
  lifetime.end('ended')
  lifetime.end('ended again')
  expect(await Promise.all(waiting)).toEqual(['ended', 'ended'])
  expect(await lifetime.during(Promise.reject(new Error('too late')))).toBe('ended')
})

test('no answer is kept until the end', async () => {
  const lifetime = new Lifetime<Error>()
  expect(await countHeld(50, () => lifetime.during(Promise.resolve({ answer: 1 })))).toBeLessThan(5)
})
