import { expect, test } from 'vitest'
import { contractLocales, decimalSignOf, languageOfTag, languages, localeOf, pageLanguageOf } from '#shared/domain/locales'
import { dateWords, monthNamed } from '#shared/domain/date-words'
import { negotiateLanguage } from '#shared/i18n/translations'

test('the sign before decimals is the one that the language writes', () => {
  expect(languages.map((language) => [language, decimalSignOf(language)])).toEqual([
    ['en', '.'],
    ['pt', ','],
    ['es', ','],
  ])
})

test('a tag belongs to the language that it begins with, in any region and case', () => {
  expect(['es', 'es-MX', 'ES-ar', 'pt-PT', 'en_US', 'de', 'est', ''].map(languageOfTag)).toEqual([
    ...['es', 'es', 'es', 'pt'],
    ...[undefined, undefined, undefined, undefined],
  ])
})

test('Accept-Language is weighed over all languages', () => {
  expect(negotiateLanguage('es-419,es;q=0.9,en;q=0.8')).toBe('es')
  expect(negotiateLanguage('fr, es;q=0.5, en;q=0.4')).toBe('es')
  expect(negotiateLanguage('fr')).toBeUndefined()
})

test('every language is known to Intl, names its pages, and keeps to the rules that the readers of dates have', () => {
  for (const language of languages) {
    const { tag } = localeOf(language)
    expect(Intl.NumberFormat.supportedLocalesOf(tag)).toHaveLength(1)
    expect(['.', ',']).toContain(decimalSignOf(language))
    expect(pageLanguageOf(language)).toMatch(new RegExp(`^${language}-[A-Z]{2}$`))
    const parts = new Intl.DateTimeFormat(tag).formatToParts(new Date(0)).map(({ type }) => type)
    expect(parts.filter((type) => type !== 'literal')).toEqual(['day', 'month', 'year'])
    expect(new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC' }).format(new Date('2026-01-03T14:05Z'))).toBe('14:05')
  }
  expect(languages).toEqual(expect.arrayContaining([...contractLocales]))
})

test('three letters identify the months of all languages, and no word for a day is ambiguous', () => {
  const { months, weekdays } = dateWords()
  months.forEach((names, index) => expect(names.map(monthNamed)).toEqual(names.map(() => index + 1)))
  const starts = weekdays.map((names) => new Set(names.map((name) => name.slice(0, 3))))
  for (const [index, start] of starts.entries())
    expect(starts.filter((other, at) => at !== index && !other.isDisjointFrom(start))).toEqual([])
})
