import { expect, test, vi } from 'vitest'
import type { StateStorage } from 'zustand/middleware'
import { languages } from '#shared/domain/locales'
import { createPreferences, parsePreferences, untouchedColumns } from '../../src-renderer/state/preferences'

function memoryStorage(stored: Record<string, string> = {}): StateStorage & { stored: Record<string, string> } {
  return {
    stored,
    getItem: (name) => stored[name] ?? null,
    setItem: (name, value) => {
      stored[name] = value
    },
    removeItem: (name) => {
      Reflect.deleteProperty(stored, name)
    },
  }
}

test('a damaged preference falls back alone', () => {
  const parsed = parsePreferences({ language: 'xx', organizationId: 7, panes: { review: 'wide' }, currencyDisplay: 'symbol' })
  expect(parsed).toMatchObject({ organizationId: 7, panes: {}, currencyDisplay: 'symbol' })
  expect(languages).toContain(parsed.language)
})

test('anything that is no record gives the defaults', () => {
  expect(parsePreferences('nonsense')).toEqual(parsePreferences({}))
})

test('preferences survive a restart', () => {
  const storage = memoryStorage()
  const first = createPreferences(() => storage)
  first.getState().set({ language: 'pt', organizationId: 3 })
  first.getState().setPane('review', 420.4)
  first.getState().setColumns('review', { ...untouchedColumns, hidden: ['tags'] })
  const second = createPreferences(() => storage).getState()
  expect(second).toMatchObject({ language: 'pt', organizationId: 3, panes: { review: 420 }, columns: { review: { hidden: ['tags'] } } })
})

test('storage that is no JSON gives the defaults', () => {
  const store = createPreferences(() => memoryStorage({ 'outlay.preferences': '{broken' }))
  expect(store.getState().organizationId).toBeNull()
})

test.each([
  ['es-MX', 'es'],
  ['es', 'es'],
  ['pt-BR', 'pt'],
  ['en-US', 'en'],
  ['fr', 'en'],
])('a browser that speaks %s starts Outlay in %s', (tag, language) => {
  vi.stubGlobal('navigator', { language: tag })
  expect(parsePreferences({}).language).toBe(language)
  vi.unstubAllGlobals()
})

test('a tab takes over what another has changed, and keeps its own organization', async () => {
  const storage = memoryStorage()
  const first = createPreferences(() => storage)
  first.getState().set({ organizationId: 1 })
  const second = createPreferences(() => storage)
  second.getState().set({ organizationId: 2, savedViews: [{ name: 'Taxis', address: 'text=taxi' }] })
  await first.persist.rehydrate()
  first.getState().setColumns('review', { ...untouchedColumns, hidden: ['tags'] })
  expect(first.getState().organizationId).toBe(1)
  expect(createPreferences(() => storage).getState()).toMatchObject({
    savedViews: [{ name: 'Taxis' }],
    columns: { review: { hidden: ['tags'] } },
  })
})
