/** An element of an XML document, independent of parsers. `text` is set if it has no child elements. */
export type XmlNode = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  readonly text: string
}

/** A line of a formatted document. `depth` counts from 0. */
export type XmlLine = { readonly depth: number; readonly name: string; readonly attributes: string; readonly text: string }

/** The element's name without its namespace prefix. */
export function localName({ name }: XmlNode): string {
  return name.slice(name.indexOf(':') + 1)
}

/** The element at a path of names such as `emit/xNome`; names have no prefix. */
export function nodeAt(node: XmlNode | undefined, path: string): XmlNode | undefined {
  return path.split('/').reduce<XmlNode | undefined>((inside, name) => inside?.children.find((child) => localName(child) === name), node)
}

/** The text of the first of these paths that has one. */
export function textAt(node: XmlNode | undefined, ...paths: readonly string[]): string | undefined {
  return paths.map((path) => nodeAt(node, path)?.text).find((text) => text !== undefined && text !== '')
}

/** All elements of a name in an element, including itself, in document order; without those nested in another match. */
export function nodesNamed(node: XmlNode, name: string): XmlNode[] {
  return localName(node) === name ? [node] : node.children.flatMap((child) => nodesNamed(child, name))
}

/** The document as lines, at most `limit`. */
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
