import { SaxesParser } from 'saxes'
import type { XmlNode } from '../../../src-renderer/features/expense/receipt-viewer/xml-tree'

type Open = { name: string; attributes: Record<string, string>; children: XmlNode[]; text: string }

/** Reads XML as the viewer does, where there is no DOM. */
export function parseXml(xml: string): XmlNode {
  const open: Open[] = [{ name: '', attributes: {}, children: [], text: '' }]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    open.push({ name, attributes, children: [], text: '' })
  })
  parser.on('text', (text) => {
    const top = open.at(-1)
    if (top) top.text += text
  })
  parser.on('closetag', () => {
    const done = open.pop()
    if (done) open.at(-1)?.children.push({ ...done, text: done.children.length > 0 ? '' : done.text.trim() })
  })
  parser.write(xml).close()
  const root = open[0]?.children[0]
  if (!root) throw new Error('No root element')
  return root
}
