import type { Texts } from '#shared/i18n/resources'

/** The texts of the first load in this language (`scripts/first-texts.mjs`); those of the server are left out. */
export const texts = import.meta.glob<Texts>(
  ['../../../src-shared/i18n/es/**/*.json', '!../../../src-shared/i18n/*/{activities,desktop,errors,import,invitation,mail,start}.json'],
  { eager: true, import: 'default', query: '?first' },
)
