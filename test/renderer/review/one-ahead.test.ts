import { expect, test } from 'vitest'
import { nextTask, oneAhead } from '#renderer/records/expense/deciding/one-ahead'

const made: number[] = []
async function* numbers(count: number) {
  for (let number = 1; number <= count; number += 1) {
    made.push(number)
    yield await Promise.resolve(number)
  }
  throw new Error('no more')
}

test('one item is made while its caller works with the one before, and no more; a failure comes in its turn', async () => {
  const items = oneAhead(numbers(2))
  expect(await items.next()).toMatchObject({ value: 1 })
  expect(made).toEqual([1])
  await nextTask()
  await nextTask()
  expect(made).toEqual([1, 2])
  expect(await items.next()).toMatchObject({ value: 2 })
  await expect(items.next()).rejects.toThrow('no more')
})
