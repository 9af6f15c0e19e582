import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import enErrors from '../../src-shared/i18n/en/errors.json'
import { languages } from '#shared/domain/locales'
import { type Texts, toResources } from '#shared/i18n/resources'
import { translate } from '#shared/i18n/translations'
import { ApiError, toApiError } from '../../src-renderer/api/client'
import { failureText } from '../../src-renderer/api/failure-text'
import { attributeName, wordLine } from '../../src-renderer/api/field-errors'

const resources = toResources(
  import.meta.glob<Texts>(['../../src-shared/i18n/*/{errors,ui,sync,expense}.json', '../../src-shared/i18n/*/records/*.json'], {
    eager: true,
    import: 'default',
  }),
)

beforeAll(async () => {
  await i18next.init({ lng: 'en', fallbackLng: false, resources, interpolation: { escapeValue: false } })
})

const codes = z.record(z.string(), z.string()).parse(enErrors.fields)
const paramsOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ''], index) => [name, String(17 + index)]))

const routeSchema = z.object({ method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']), body: z.instanceof(z.ZodType) })
const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
})

function namesIn(schema: unknown): string[] {
  const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = objectSchema.safeParse(schema).data ?? {}
  return [...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(namesIn)]
}

/** Every attribute that a body of the contract has. */
function listAttributes(): string[] {
  const modules = Object.values(import.meta.glob<Record<string, unknown>>('../../src-shared/contract/**/*.ts', { eager: true }))
  const groups = modules.flatMap((module) => Object.values(module))
  const routes = groups.flatMap((group) => (typeof group === 'object' && group !== null ? [group, ...Object.values(group)] : []))
  const names = routes.flatMap((route) => {
    const { data } = routeSchema.safeParse(route)
    return data ? namesIn(z.toJSONSchema(data.body, { io: 'input', unrepresentable: 'any' })) : []
  })
  return [...new Set(names)]
}

const attributes = listAttributes()

/** What only programs send to each other: no screen has a field for it. */
const ofPrograms = new Set(
  `answer asks_again atomic cursor cursors decision deleted_at device files ids keys operations protocol receipt_budget_bytes schema secret tables undo_of until_id xml`.split(
    ' ',
  ),
)

test('every field error is a sentence in every language, whichever language the API responds in', async () => {
  const raw = languages.flatMap((language) => Object.values(z.record(z.string(), z.string()).parse(resources[language]?.errors?.fields)))
  const bare = new Set(raw.filter((text) => !/^\p{Lu}/u.test(text)).map((text) => text.replace(/\{\{\w+\}\}/g, '').trim()))
  expect(attributes.length).toBeGreaterThan(60)
  // So many sentences that an expectation for each would take most of the time.
  const faulty: string[] = []
  for (const shown of languages) {
    await i18next.changeLanguage(shown)
    for (const [index, [code, template]] of Object.entries(codes).entries()) {
      const params = paramsOf(template)
      const texts = languages.map((answered) => translate(answered, `errors:fields.${code}`, params))
      // Which error it is, is found without the attribute: each text is tried with a third of them, and all with 'message'.
      const cases = attributes.map((attribute, at) => [attribute, [texts[(index + at) % texts.length] ?? '']] as const)
      const responses: Array<Record<string, readonly string[]>> = [Object.fromEntries(cases), ...texts.map((one) => ({ message: [one] }))]
      for (const errors of responses) {
        const { message, fields } = await toApiError(422, JSON.stringify({ errors }), null)
        if (/is invalid|can't be blank|não é válido/.test(message)) faulty.push(`${shown} ${code}: ${message}`)
        for (const attribute of Object.keys(errors)) {
          const sentence = fields[attribute]?.[0] ?? ''
          const isSentence = /^(\p{Lu}|\d).*[.]$/su.test(sentence) && !/fieldError|\{\{/.test(sentence) && !bare.has(sentence)
          const isWhole = Object.values(params).every((value) => sentence.includes(value)) && message.includes(sentence)
          if (!isSentence || !isWhole) faulty.push(`${shown} ${code} of ${attribute}: ${sentence}`)
        }
      }
    }
  }
  expect(faulty).toEqual([])
})

test('every attribute that a person can fill in has a name in every language', async () => {
  for (const language of languages) {
    await i18next.changeLanguage(language)
    const bare = attributes.filter(
      (name) => !ofPrograms.has(name) && !/^(email|mobile)_on_/.test(name) && /^\p{Ll}/u.test(attributeName(name)),
    )
    expect({ language, bare }).toEqual({ language, bare: [] })
  }
})

test('a word that is not known is not shown', async () => {
  await i18next.changeLanguage('en')
  const { message } = await toApiError(422, JSON.stringify({ errors: { email: ['must not be odd'] } }), null)
  expect(message).toBe('E-mail: Check this value: Outlay cannot use it.')
  const { message: whole } = await toApiError(422, JSON.stringify({ errors: { email: 'This address bounced.' } }), null)
  expect(whole).toBe('E-mail: This address bounced.')
  expect((await toApiError(404, JSON.stringify({ errors: { message: 'Record Not Found' } }), null)).message).toBe(
    'This does not exist, or you do not have access to it.',
  )
})

test('the errors a remote returns for an operation are shown as sentences', async () => {
  await i18next.changeLanguage('en')
  expect(wordLine('status: is not included in the list; amount: is too large')).toBe(
    'Status: Choose one of the values offered. Amount: This is too large.',
  )
  expect(wordLine('You are not allowed to do this.')).toBe('You are not allowed to do this.')
})

test('a page of a proxy is not shown as the reason: the server does not respond', async () => {
  const noResponse = failureText(new ApiError(0, 'Failed to fetch'))
  expect(failureText(await toApiError(502, '<html><h1>502 Bad Gateway</h1></html>', null))).toBe(noResponse)
  expect(failureText(await toApiError(503, '{"status":"down"}', null))).toBe(noResponse)
})

test('a sentence of the API that begins with a number is shown as it is', async () => {
  const sentence = '5 files are waiting to be imported. Import or remove one of them first.'
  expect(failureText(await toApiError(422, JSON.stringify({ errors: { message: sentence } }), null))).toBe(sentence)
})
