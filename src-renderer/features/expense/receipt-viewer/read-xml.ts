import type { XmlNode } from './xml-tree'

/** Fetches and reads an XML file in the encoding that it names. Throws when it cannot be had or is not XML. */
export async function fetchXml(url: string, signal: AbortSignal): Promise<XmlNode> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`The file answered ${response.status}.`)
  const bytes = await response.arrayBuffer()
  const head = new TextDecoder('latin1').decode(bytes.slice(0, 200))
  const encoding = /encoding=["']([\w.-]+)["']/.exec(head)?.[1] ?? 'utf-8'
  const document = new DOMParser().parseFromString(new TextDecoder(encoding).decode(bytes), 'application/xml')
  if (document.querySelector('parsererror')) throw new Error('The file is not XML.')
  return toNode(document.documentElement)
}

function toNode(element: Element): XmlNode {
  const children = [...element.children].map(toNode)
  return {
    name: element.tagName,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    children,
    text: children.length > 0 ? '' : (element.textContent ?? '').trim(),
  }
}
