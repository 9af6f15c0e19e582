/** An element of an XML document, apart from any parser. `text` is its own text where it has no elements inside. */
export type XmlNode = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  readonly text: string
}

/** A line of a document set out for reading. `depth` counts from 0. */
export type XmlLine = { readonly depth: number; readonly name: string; readonly attributes: string; readonly text: string }

/** The element's name without its namespace prefix. */
export function localName({ name }: XmlNode): string {
  return name.slice(name.indexOf(':') + 1)
}

/** The element that a path of names such as `emit/xNome` leads to from this one; names are without prefix. */
export function nodeAt(node: XmlNode | undefined, path: string): XmlNode | undefined {
  return path.split('/').reduce<XmlNode | undefined>((inside, name) => inside?.children.find((child) => localName(child) === name), node)
}

/** The text of the first of these paths that has any. */
export function textAt(node: XmlNode | undefined, ...paths: readonly string[]): string | undefined {
  return paths.map((path) => nodeAt(node, path)?.text).find((text) => text !== undefined && text !== '')
}

/** The elements of a name anywhere in an element, itself too, in the order of the document; none of those inside another. */
export function nodesNamed(node: XmlNode, name: string): XmlNode[] {
  return localName(node) === name ? [node] : node.children.flatMap((child) => nodesNamed(child, name))
}

/** The document line by line, at most `limit` of them. */
export function toLines(root: XmlNode, limit: number): XmlLine[] {
  const lines: XmlLine[] = []
  const add = (node: XmlNode, depth: number) => {
    if (lines.length >= limit) return
    const attributes = Object.entries(node.attributes)
      .map(([name, value]) => `${name}="${value}"`)
      .join(' ')
    lines.push({ depth, name: node.name, attributes, text: node.text })
    for (const child of node.children) add(child, depth + 1)
  }
  add(root, 0)
  return lines
}
