/** A text without case and accents, and with one form of the letters that banks write in two. */
export const unaccented = (text: string): string => (ascii.test(text) ? text.toLowerCase() : folded(text))

/** Most texts have no letter to fold. */
const ascii = /^[\x20-\x7E]*$/

const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('đ', 'd')
    .replaceAll('æ', 'ae')
