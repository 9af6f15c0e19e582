/** Where windows-1252 has other signs than Latin-1, from 0x80 on. */
const windowsSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
/** Letters that no mark can be taken off. */
const nearest: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ŧ: 't',
  Ŧ: 'T',
  ẞ: 'SS',
  '−': '-',
  '\u202f': ' ',
}

function codeOf(sign: string): number | undefined {
  const at = windowsSigns.indexOf(sign)
  const code = sign.codePointAt(0) ?? 0
  if (at >= 0) return 0x80 + at
  return code < 0x80 || (code >= 0xa0 && code < 0x100) ? code : undefined
}

/** Text in windows-1252: a letter that it does not have becomes its nearest one, such as `ş` an `s`, and any other sign a question mark. */
export function toWindows(text: string): Uint8Array {
  const signs = [...text.normalize('NFC')].flatMap((sign) => {
    if (codeOf(sign) !== undefined) return [sign]
    return [...(nearest[sign] ?? sign.normalize('NFKD').replace(/\p{M}/gu, ''))]
  })
  return Uint8Array.from(signs.map((sign) => codeOf(sign) ?? 0x3f))
}
