import type { Texts } from '#shared/i18n/resources'

/** The page's other texts in this language. */
export const texts = import.meta.glob<Texts>(
  ['../../../src-shared/i18n/en/**/*.json', '!../../../src-shared/i18n/*/{activities,desktop,errors,import,invitation,mail,start}.json'],
  { eager: true, import: 'default', query: '?later' },
)
