import i18next from 'i18next'
import type en from '../../src-shared/i18n/en/errors.json'

/** What the API says is wrong, by the contract's name of the attribute. */
export type FieldTexts = Readonly<Record<string, readonly string[]>>

type Pattern = { readonly code: string; readonly matches: RegExp }

function toPattern([code, template]: [string, string]): Pattern {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  return { code, matches: new RegExp(`^${escaped.replace(/\{\{(\w+)\}\}/g, '(?<$1>.+)')}$`, 's') }
}

/** The words that the API responds in, in every language: a text stored before the language was changed is found too. */
const spoken = Object.values(import.meta.glob<typeof en>('../../src-shared/i18n/*/errors.json', { eager: true, import: 'default' }))

let known: readonly Pattern[] | undefined

function listPatterns(): readonly Pattern[] {
  known ??= spoken.flatMap(({ fields }) => Object.entries(fields).map(toPattern))
  return known
}

/** A sentence begins with a capital letter, or with a number and ends with a full stop. */
function isSentence(text: string): boolean {
  return /^(\p{Lu}|\d.*\.$)/su.test(text)
}

/** Messages whose words the contract fixes, and which the screens say better. */
const fixedMessages = ['not_found', 'webhook_not_found', 'expired_organization', 'accountability_not_opened'] as const

/** A message of the API that is about no attribute, as a sentence. */
export function messageOf(text: string): string {
  const code = fixedMessages.find((name) => spoken.some((texts) => text === texts[name]))
  if (code !== undefined) return i18next.t(`ui:apiMessage.${code}`)
  return isSentence(text) ? text : i18next.t('ui:failure.unexpected')
}

/** The name of an attribute in the user's words. */
export function attributeName(attribute: string): string {
  return i18next.t([`ui:attribute.${attribute}`, `sync:attribute.${attribute}`, `expense:fields.${attribute}`], {
    defaultValue: attribute.replaceAll('_', ' '),
  })
}

/** Numbers of records as screens write them: #7. */
function shown({ ids, payments, ...rest }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const marked = (numbers: string) => numbers.replaceAll(/\d+/g, '#$&')
  return { ...rest, ...(ids && { ids: marked(ids) }), ...(payments && { payments: marked(payments) }) }
}

/** A sentence for what the API says is wrong with an attribute; whole sentences stay, and words that are not known are not shown. */
export function sentenceOf(attribute: string, text: string): string {
  if (attribute === 'message' && isSentence(text)) return messageOf(text)
  for (const { code, matches } of listPatterns()) {
    const found = matches.exec(text)
    if (found) return i18next.t([`ui:fieldError.of.${attribute}.${code}`, `ui:fieldError.${code}`], shown(found.groups ?? {}))
  }
  return isSentence(text) ? text : i18next.t('ui:fieldError.invalid')
}

/** The sentences for every attribute: the one place that turns field errors of the API into text. */
export function toSentences(fields: FieldTexts): FieldTexts {
  return Object.fromEntries(
    Object.entries(fields).map(([attribute, texts]) => [attribute, texts.map((text) => sentenceOf(attribute, text))]),
  )
}

/** The errors in one text, each attribute by its name; for places without fields. `sentences` as `toSentences` returns them. */
export function textOfFields(sentences: FieldTexts): string {
  const texts = Object.entries(sentences).map(([attribute, told]) =>
    attribute === 'message' ? told.join(' ') : `${attributeName(attribute)}: ${told.join(' ')}`,
  )
  return texts.join(' ')
}

/** A remote's errors about an operation, from one line (`name: text; …`), as sentences. */
export function wordLine(line: string): string {
  const parts = line.split('; ').map((part) => /^(?<attribute>[a-z_]+):? (?<text>.+)$/s.exec(part)?.groups)
  const fields: Record<string, string[]> = {}
  for (const part of parts) {
    const { attribute, text } = part ?? {}
    if (attribute === undefined || text === undefined) return messageOf(line)
    fields[attribute] = [sentenceOf(attribute, text)]
  }
  return textOfFields(fields)
}
