import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasNoWayBack } from '../../src-renderer/sign-out-token'
import { noteShownToken, noteTokenKept } from '../../src-renderer/state/shown-token'

/** The tokens of the person, as the server lists them. */
let tokens: Array<{ id: number; last_used_at: string | null }> = []
beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('fetch', () => {
    const listed = tokens.map((token) => ({ uid: 'token', description: 'Invitation', created_at: '2026-01-01T00:00:00Z', ...token }))
    return Promise.resolve(Response.json({ count: listed.length, current_page: 1, total_pages: 1, tokens: listed }))
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the token of an invitation is a way back once its person went on from it, or has used it', async () => {
  tokens = [{ id: 1, last_used_at: null }]
  noteShownToken('ana')
  expect(await hasNoWayBack('ana')).toBe(true)
  expect(await hasNoWayBack('bia')).toBe(false)
  tokens = [{ id: 1, last_used_at: '2026-01-02T00:00:00Z' }]
  expect(await hasNoWayBack('ana')).toBe(false)
  tokens = [{ id: 1, last_used_at: null }]
  noteTokenKept('ana')
  expect(await hasNoWayBack('ana')).toBe(false)
})
