/** Letters alone, so that `joao` finds João. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Whether a text contains every word of a search, ignoring case and accents. */
export function containsEveryWord(text: string, search: string): boolean {
  const within = plain(text)
  return plain(search)
    .split(/\s+/)
    .every((word) => within.includes(word))
}
