/** One line of an integration's additional information. */
export type InformationLine = { readonly name: string; readonly value: string }

const mostLines = 100

/** An integration's own information as lines: a nested value is named by its path, `ride.stops.1`. */
export function toInformationLines(information: Readonly<Record<string, unknown>>): InformationLine[] {
  const lines: InformationLine[] = []
  const add = (name: string, value: unknown): void => {
    if (lines.length >= mostLines || value === null || value === undefined || value === '') return
    if (typeof value === 'object') for (const [key, inner] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, inner)
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      lines.push({ name, value: String(value) })
  }
  add('', information)
  return lines
}
