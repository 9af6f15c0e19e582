import i18next from 'i18next'
import { expect, test } from 'vitest'
import { countFormatter } from '../../src-renderer/ui/values/count-formatter'

test('every text writes how many there are with the separators of its language, and nothing else differently', async () => {
  const texts = { translation: { count: '{{count}} of {{id}}, {{name}}{{none}}' } }
  const i18n = i18next.createInstance().use(countFormatter)
  await i18n.init({ lng: 'en', resources: { en: texts, pt: texts, es: texts }, interpolation: { escapeValue: false, alwaysFormat: true } })
  const written = (count: number) => ['en', 'pt', 'es'].map((lng) => i18n.t('count', { lng, count, id: 11_057, name: '5000', none: '' }))
  expect(written(12_010)).toEqual(['12,010 of 11057, 5000', '12.010 of 11057, 5000', '12.010 of 11057, 5000'])
  expect(written(999)).toEqual(Array(3).fill('999 of 11057, 5000'))
})
