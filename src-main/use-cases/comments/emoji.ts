import { emojify, unemojify } from 'node-emoji'

/** Text for storage: emojis as unicode, whether sent so or as codes such as `:+1:`. An unknown code stays text. */
export function toUnicodeEmoji(text: string): string {
  return emojify(text)
}

/** Text for responses: emojis as codes unless unicode was requested (contract 4.2, 4.8). An emoji without a code stays. */
export function presentEmoji(text: string, isUnicode: boolean): string {
  return isUnicode ? text : unemojify(text)
}
