/** The physical lines of a text given in pieces, numbered from 1; any line ending. */
export function* readLines(chunks: Iterable<string>): Generator<{ readonly line: number; readonly text: string }> {
  let rest = ''
  let line = 0
  for (const chunk of chunks) {
    const text = rest + chunk
    // A line break of two characters may be split between pieces.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    const parts = whole.split(/\r\n|\n|\r/)
    rest = (parts.pop() ?? '') + text.slice(whole.length)
    for (const part of parts) yield { line: (line += 1), text: part }
  }
  const end = rest.replace(/\r$/, '')
  if (end !== '') yield { line: line + 1, text: end }
}
