/** A tag or text of a marked-up file. `name` has no prefix; `attributes` are raw; `line` from 1. */
export type MarkupToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly line: number }
  | { readonly kind: 'close'; readonly name: string; readonly line: number }
  | { readonly kind: 'text'; readonly text: string; readonly line: number }
  | { readonly kind: 'cut'; readonly line: number }

/** Longer tags and texts are not part of a statement. */
const longest = 65_536
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Replaces entities in a text; those that a document declares itself stay. */
function resolve(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,5});/gi, (written, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? written
    const code = name[1] === 'x' || name[1] === 'X' ? parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : written
  })
}

/**
 * Splits SGML and XML, given in pieces, into tags and texts. Skips comments, declarations and instructions; expands and fetches nothing. A file that
 * ends inside a tag ends with `cut`.
 */
export function* readMarkup(chunks: Iterable<string>): Generator<MarkupToken> {
  let rest = ''
  let line = 1
  for (const chunk of chunks) {
    rest += chunk
    let at = 0
    for (;;) {
      const opens = rest.indexOf('<', at)
      if (opens === -1) break
      const ends = endOf(rest, opens)
      if (ends === -1) break
      const text = rest.slice(at, opens)
      if (text.trim() !== '') yield { kind: 'text', text: resolve(text.trim()), line: line + breaksIn(leading(text)) }
      line += breaksIn(text)
      const tag = rest.slice(opens, ends)
      yield* tokensOf(tag, line)
      line += breaksIn(tag)
      at = ends
    }
    rest = rest.slice(at)
    if (rest.length > longest) {
      yield { kind: 'cut', line }
      line += breaksIn(rest)
      rest = ''
    }
  }
  if (rest.trim() !== '') yield rest.includes('<') ? { kind: 'cut', line } : { kind: 'text', text: resolve(rest.trim()), line }
}

const leading = (text: string) => text.slice(0, text.length - text.trimStart().length)

function breaksIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Where the tag that begins here ends; -1: not in this text. */
function endOf(text: string, opens: number): number {
  const [mark, length] = text.startsWith('<!--', opens)
    ? (['-->', 3] as const)
    : text.startsWith('<![CDATA[', opens)
      ? ([']]>', 3] as const)
      : (['>', 1] as const)
  const at = text.indexOf(mark, opens)
  return at === -1 ? -1 : at + length
}

function* tokensOf(tag: string, line: number): Generator<MarkupToken> {
  if (tag.startsWith('<![CDATA[')) {
    yield { kind: 'text', text: tag.slice(9, -3).trim(), line }
    return
  }
  const [, slash, written = '', attributes = ''] = /^<(\/?)([\w.:-]+)([^]*)>$/.exec(tag) ?? []
  if (written === '') return
  const name = written.slice(written.indexOf(':') + 1)
  if (slash === '/') {
    yield { kind: 'close', name, line }
    return
  }
  yield { kind: 'open', name, attributes, line }
  if (attributes.endsWith('/')) yield { kind: 'close', name, line }
}
