import { expect, test, vi } from 'vitest'
import { createLog } from '#main/app'
import { systemClock } from '#main/clock'
import { createTokenUses } from '#main/http/server/token-uses'
import { hashSecret } from '#main/http/server/authentication'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()

test('the time of the last use is recorded for that token only', async () => {
  const { store } = instance.app
  const lastUses = () => store.reader.db.selectFrom('api_tokens').select(['token_hash', 'last_used_at']).execute()
  expect((await lastUses()).every(({ last_used_at }) => last_used_at === null)).toBe(true)
  const uses = createTokenUses({ store, clock: systemClock, log: createLog({ OUTLAY_LOG: 'silent' }), everyMs: 5 })
  const token_hash = hashSecret(instance.member.token)
  const before = new Date().toISOString()
  uses.note(token_hash)
  await vi.waitFor(async () => {
    const used = (await lastUses()).filter(({ last_used_at }) => last_used_at !== null)
    expect(used.map((row) => row.token_hash)).toEqual([token_hash])
    expect((used[0]?.last_used_at ?? '') >= before).toBe(true)
  })
  await uses.close()
})
