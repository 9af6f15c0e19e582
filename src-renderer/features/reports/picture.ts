/** Properties that a picture needs of its style sheet, which does not go with it. */
const drawn = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
  'text-anchor',
] as const

const marginPx = 16
const linePx = 20
const namespace = 'http://www.w3.org/2000/svg'

/** What a picture says in addition to its bars: above them its title and the sum, below them the legend, and what it leaves out. */
export interface PictureWords {
  readonly title: string
  readonly sum?: string | undefined
  readonly legend: ReadonlyArray<{ readonly name: string; readonly color: string }>
  readonly notes: readonly string[]
}

function withStyles(original: Element, copy: Element): void {
  const style = getComputedStyle(original)
  for (const name of drawn) copy.setAttribute(name, style.getPropertyValue(name))
  copy.removeAttribute('class')
  for (const [index, child] of [...original.children].entries()) {
    const same = copy.children[index]
    if (same) withStyles(child, same)
  }
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): Element {
  const made = document.createElementNS(namespace, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.textContent = content
  return made
}

/** At most so wide is a character of the size of the legend. */
const characterPx = 7
const swatchPx = 14
const gapPx = 20

/** The legend in as many lines as it needs; a name that is wider than the picture is cut. */
function legendLines(legend: PictureWords['legend'], width: number): Array<PictureWords['legend']> {
  const lines: Array<Array<PictureWords['legend'][number]>> = [[]]
  let left = 0
  for (const { name, color } of legend) {
    const most = Math.floor((width - swatchPx) / characterPx)
    const entry = { name: name.length > most ? `${name.slice(0, most - 1)}…` : name, color }
    const needed = swatchPx + entry.name.length * characterPx
    if (left > 0 && left + needed > width) {
      lines.push([])
      left = 0
    }
    lines.at(-1)?.push(entry)
    left += needed + gapPx
  }
  return lines
}

/** A chart as an SVG document with its words, in the colours that the page shows. */
export function drawPicture(
  chart: SVGSVGElement,
  { title, sum, legend, notes }: PictureWords,
): { svg: string; width: number; height: number } {
  const { width: chartWidth, height } = chart.getBoundingClientRect()
  // The page lays its own legend over the end of the chart.
  const chartHeight = height - (chart.parentElement?.querySelector('.recharts-legend-wrapper')?.clientHeight ?? 0)
  const page = getComputedStyle(document.body)
  const font = { 'font-family': 'sans-serif', fill: page.color }
  const parts: Element[] = []
  let top = marginPx
  const line = (content: string, style: Readonly<Record<string, string | number>>) => {
    parts.push(element('text', { x: marginPx, y: top + 14, ...font, ...style }, content))
    top += linePx
  }
  line(title, { 'font-size': 14, 'font-weight': 600 })
  if (sum !== undefined) line(sum, { 'font-size': 12 })
  top += linePx / 2
  const inner = chart.cloneNode(true)
  if (!(inner instanceof SVGSVGElement)) throw new TypeError('A chart is an SVG element.')
  withStyles(chart, inner)
  const place = { x: marginPx, y: top, width: chartWidth, height: chartHeight, viewBox: `0 0 ${chartWidth} ${chartHeight}` }
  for (const [key, value] of Object.entries(place)) inner.setAttribute(key, String(value))
  parts.push(inner)
  top += chartHeight
  for (const entries of legend.length > 1 ? legendLines(legend, chartWidth) : []) {
    let left = marginPx
    for (const { name, color } of entries) {
      parts.push(element('rect', { x: left, y: top + 5, width: 10, height: 10, fill: color }))
      parts.push(element('text', { x: left + swatchPx, y: top + 14, 'font-size': 12, ...font }, name))
      left += swatchPx + name.length * characterPx + gapPx
    }
    top += linePx
  }
  for (const note of notes) line(note, { 'font-size': 12 })
  // Whole pixels: the last row would be half transparent.
  const whole = { width: Math.ceil(chartWidth + 2 * marginPx), height: Math.ceil(top + marginPx) }
  const root = element('svg', { xmlns: namespace, ...whole, viewBox: `0 0 ${whole.width} ${whole.height}`, role: 'img' })
  root.append(element('title', {}, title), element('rect', { ...whole, fill: page.backgroundColor }), ...parts)
  return { svg: new XMLSerializer().serializeToString(root), ...whole }
}

/** So many dots a pixel: sharp on paper. */
const dotsPerPx = 2

/** A picture as PNG. Throws where the browser cannot draw it. */
export async function toPng({ svg, width, height }: ReturnType<typeof drawPicture>): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(width * dotsPerPx)
    canvas.height = Math.ceil(height * dotsPerPx)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser draws no pictures.')
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Hands a file to the browser's downloads. */
export function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
