const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

/** The contents of the elements of a name, in order, as S3 writes them: without attributes, never one in itself. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, text = '']) => text)
}

/** A text of XML without its entities. */
export function unescapeXml(text: string): string {
  return text.replaceAll(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => entities[entity] ?? '')
}
