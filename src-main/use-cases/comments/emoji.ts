import { emojify, unemojify } from 'node-emoji'

/** Text as it is stored: emojis as unicode, whether they were sent so or as codes such as `:+1:`. An unknown code stays text. */
export function toUnicodeEmoji(text: string): string {
  return emojify(text)
}

/** Text as responses show it: emojis as codes unless unicode was asked for (contract 4.2, 4.8). An emoji without a code stays. */
export function presentEmoji(text: string, isUnicode: boolean): string {
  return isUnicode ? text : unemojify(text)
}
