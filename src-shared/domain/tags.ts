/**
 * The tag names of a request: an array of names or one comma-separated text. Trimmed, blanks dropped, each name once with its
 * first spelling. A name cannot contain a comma (expenses write their tags as one text), so an array's names are split too.
 * Supplement 1, "`tags` in requests".
 */
export function parseTagNames(value: string | readonly string[]): string[] {
  const texts = typeof value === 'string' ? [value] : value;
  const names = new Map<string, string>();
  for (const name of texts.flatMap((text) => text.split(',')).map((part) => part.trim())) {
    const key = tagKey(name);
    if (name !== '' && !names.has(key)) names.set(key, name);
  }
  return [...names.values()];
}

/** What makes two tag names the same in one organization: letters, not their case or Unicode composition. Supplement 2, "Tags". */
export function tagKey(name: string): string {
  return name.toLowerCase().normalize('NFC');
}
