/** The encodings of text without a mark that is not UTF-8, most usual first. */
export const legacyEncodings = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'shift_jis',
] as const
export type LegacyEncoding = (typeof legacyEncodings)[number]

/** Letters beyond ASCII of the languages that are written in an encoding. */
const alphabets: Readonly<Record<LegacyEncoding, readonly string[]>> = {
  'windows-1252': ['áàâãçéêíóôõúü', 'áéíñóúü¿¡', 'àâæçéèêëîïôœùûü', 'äöüßéèà', 'àèéìòù', 'åäöé', 'åæøéè', 'éëïóèöü', 'ðáéíóúýþæö'],
  'windows-1250': ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîșțşţ'],
  'windows-1251': ['абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґў'],
  'windows-1253': ['αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ'],
  'windows-1254': ['çğıiöşüâî'],
  'windows-1257': ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äöõüšž'],
  shift_jis: [],
}
const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー、。・￥（）]/u
/** Signs of any language. */
const common = /[€£¥§°ºª«»–—‘’“”„…·×\u00A0]/

const otherScripts: ReadonlySet<LegacyEncoding> = new Set(['windows-1251', 'windows-1253'])

/** How well a text's letters beyond ASCII fit the language of the encoding that they fit best: 0 to 1. */
function fitOf(text: string, encoding: LegacyEncoding): number {
  const all = [...text]
  const places = all.flatMap((letter, at) => (letter > '\u007F' && !common.test(letter) ? [at] : []))
  if (places.length === 0) return 1
  const share = (isOwn: (letter: string) => boolean) => places.filter((at) => isOwn(all[at] ?? '')).length / places.length
  if (encoding === 'shift_jis') return share((letter) => japanese.test(letter))
  // A word has one script, and no capital after a small letter.
  const isOdd = (at: number) => {
    const [before = '', letter = '', after = ''] = [all[at - 1], all[at], all[at + 1]]
    return (
      (otherScripts.has(encoding) && (/[a-z]/i.test(before) || /[a-z]/i.test(after))) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(letter))
    )
  }
  const odd = places.filter(isOdd).length / places.length
  return (
    Math.max(...alphabets[encoding].map((alphabet) => share((letter) => alphabet.includes(letter === 'İ' ? 'i' : letter.toLowerCase())))) -
    odd
  )
}

/** The encoding in which a sample of text that is not UTF-8 reads sensibly; windows-1252 where several do. */
export function guessLegacyEncoding(bytes: Uint8Array): LegacyEncoding {
  let best: { encoding: LegacyEncoding; fit: number } = { encoding: 'windows-1252', fit: 0 }
  for (const encoding of legacyEncodings) {
    const fit = fitOf(new TextDecoder(encoding).decode(bytes), encoding)
    if (fit > best.fit + 0.001) best = { encoding, fit }
  }
  return best.encoding
}
