import { expect, test } from 'vitest'
import { languages } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'

test.each(languages)('%s counts any number, a million too', (language) => {
  const count = (number: number) => translate(language, 'mail:changes', { count: number })
  expect(count(1_000_000).replace('1000000', '2')).toBe(count(2))
  expect(count(1)).not.toBe(count(2).replace('2', '1'))
})
