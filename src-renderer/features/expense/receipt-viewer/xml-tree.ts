/** An element of an XML document, apart from any parser. `text` is its own text where it has no elements inside. */
export type XmlNode = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  readonly text: string
}

/** A line of a document set out for reading. `depth` counts from 0. */
export type XmlLine = { readonly depth: number; readonly name: string; readonly attributes: string; readonly text: string }

/** The text of the first place that a path of element names leads to; a path may begin anywhere. Names are without prefix. */
export function textAt(node: XmlNode, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = nodeAt(node, path)?.text.trim()
    if (text) return text
  }
  return undefined
}

/** The first element that a path such as `emit/xNome` leads to. */
export function nodeAt(node: XmlNode, path: string): XmlNode | undefined {
  return follow(node, path.split('/')) ?? node.children.map((child) => nodeAt(child, path)).find((found) => found !== undefined)
}

function follow(node: XmlNode, names: readonly string[]): XmlNode | undefined {
  const [first, ...rest] = names
  if (first !== localName(node)) return undefined
  if (rest.length === 0) return node
  return node.children.map((child) => follow(child, rest)).find((found) => found !== undefined)
}

/** The element's name without its namespace prefix. */
export function localName({ name }: XmlNode): string {
  return name.slice(name.indexOf(':') + 1)
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
