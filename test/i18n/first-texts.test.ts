import { expect, test } from 'vitest'
import { type Texts, toResources } from '#shared/i18n/resources'

const first = import.meta.glob<Texts>('../../src-shared/i18n/en/**/*.json', { eager: true, import: 'default', query: '?first' })
const later = import.meta.glob<Texts>('../../src-shared/i18n/en/**/*.json', { eager: true, import: 'default', query: '?later' })
const whole = import.meta.glob<Texts>('../../src-shared/i18n/en/**/*.json', { eager: true, import: 'default' })

const keysOf = (files: Readonly<Record<string, Texts>>) =>
  Object.entries(toResources(files).en ?? {}).flatMap(([namespace, texts]) => Object.keys(texts).map((key) => `${namespace}:${key}`))

test('each text of the page is in one of the two parts', () => {
  expect([...keysOf(first), ...keysOf(later)].toSorted()).toEqual(keysOf(whole).toSorted())
})

test('the first load has what its modules name, by themselves or by a value, and not what a screen names that is loaded later', () => {
  expect(keysOf(first)).toEqual(expect.arrayContaining(['review:filter', 'status:pending', 'shell:words', 'ui:overlays', 'sync:decided']))
  expect(keysOf(later)).toEqual(expect.arrayContaining(['reports:title', 'settings:profile', 'capture:save', 'ui:fieldError']))
})
