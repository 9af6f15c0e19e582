import { type Language, defaultLanguage, languageOfTag, languages } from '#shared/domain/locales'

/*
 * What the first screen needs is requested while the program is still loading: this file is in a small one before it
 * (`electron.vite.config.ts`), and imports nothing that is not.
 */

const loads = { en: () => import('./en'), pt: () => import('./pt'), es: () => import('./es') } as const satisfies Record<Language, unknown>
const laterLoads = {
  en: () => import('./en-later'),
  pt: () => import('./pt-later'),
  es: () => import('./es-later'),
} as const satisfies Record<Language, unknown>

/** The texts of the first load in a language, by file. Rejects where they cannot be loaded. */
export async function loadTexts(language: Language) {
  return (await loads[language]()).texts
}

/** The page's other texts in a language, by file. Rejects where they cannot be loaded. */
export async function loadLaterTexts(language: Language) {
  return (await laterLoads[language]()).texts
}

/** The key under which the browser keeps the preferences of this device. */
export const preferencesKey = 'outlay.preferences'
const requestKey = 'outlay.first-request'
const sessionUrl = '/api/v1/session'

/** What the browser keeps under a key; undefined where it is not there, or damaged. */
function stored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return undefined
  }
}

/** The value at a path of names, if it is a text. */
function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined), value)
  return typeof found === 'string' ? found : undefined
}

/** The language that this device speaks: the chosen one, or the browser's. */
function languageOfDevice(): Language {
  const chosen = textAt(stored(preferencesKey), 'state', 'language')
  return languages.find((language) => language === chosen) ?? languageOfTag(navigator.language) ?? defaultLanguage
}

const asked = new Map<string, Promise<Response>>()
/** Later a screen wants what is true then, in milliseconds since the page began. */
const earlyUntilMs = 10_000

/** The response to a request that was sent before the program was loaded; once, and undefined where there was none, or no good one. */
export async function takeEarly(url: string): Promise<Response | undefined> {
  const response = performance.now() < earlyUntilMs ? asked.get(url) : undefined
  asked.delete(url)
  const taken = await response?.catch(() => undefined)
  return taken?.ok ? taken : undefined
}

/** Forgets what was sent early: it was asked for another person. */
export function forgetEarly(): void {
  asked.clear()
}

const addressOfPage = () => location.pathname + location.search

/** Notes which request the first screen at this address begins with: the next page there sends it early. */
export function noteFirstRequest(url: string): void {
  localStorage.setItem(requestKey, JSON.stringify({ address: addressOfPage(), url }))
}

/** Requests what the first screen needs. */
export function askEarly(): void {
  const language = languageOfDevice()
  void loadTexts(language).catch(() => undefined)
  const ask = async (url: string) => {
    const response = await fetch(url, { headers: { accept: 'application/json', 'accept-language': language } })
    // Read to its end, taken or not: an unread response keeps its connection.
    return new Response(await response.blob(), response)
  }
  const session = ask(sessionUrl)
  asked.set(sessionUrl, session)
  const first = stored(requestKey)
  const url = textAt(first, 'address') === addressOfPage() ? textAt(first, 'url') : undefined
  // The page hears of changes since the session was read: what it shows is read after that.
  if (url !== undefined)
    asked.set(
      url,
      session.then(({ ok }) => (ok ? ask(url) : Response.error())),
    )
  for (const response of asked.values()) response.catch(() => undefined)
}
