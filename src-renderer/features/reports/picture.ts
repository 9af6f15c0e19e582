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
const titlePx = 28
const legendPx = 24
const namespace = 'http://www.w3.org/2000/svg'

/** What a picture says in addition to its bars. */
export interface PictureWords {
  readonly title: string
  readonly legend: ReadonlyArray<{ readonly name: string; readonly color: string }>
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

function text(content: string, attributes: Readonly<Record<string, string | number>>): Element {
  const element = document.createElementNS(namespace, 'text')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.textContent = content
  return element
}

/** A chart as an SVG document with its title and legend, in the colours that the page shows. */
export function drawPicture(
  chart: SVGSVGElement,
  { title, legend }: PictureWords,
): { svg: string; width: number; height: number } {
  const { width: chartWidth, height: chartHeight } = chart.getBoundingClientRect()
  const [width, height] = [chartWidth + 2 * marginPx, chartHeight + 2 * marginPx + titlePx + (legend.length > 1 ? legendPx : 0)]
  const page = getComputedStyle(document.body)
  const font = { 'font-family': 'sans-serif', fill: page.color }
  const root = document.createElementNS(namespace, 'svg')
  for (const [name, value] of Object.entries({ xmlns: namespace, width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' }))
    root.setAttribute(name, String(value))
  const name = document.createElementNS(namespace, 'title')
  name.textContent = title
  const ground = document.createElementNS(namespace, 'rect')
  for (const [key, value] of Object.entries({ width, height, fill: page.backgroundColor }))
    ground.setAttribute(key, String(value))
  const inner = chart.cloneNode(true)
  if (!(inner instanceof SVGSVGElement)) throw new TypeError('A chart is an SVG element.')
  withStyles(chart, inner)
  for (const [key, value] of Object.entries({ x: marginPx, y: marginPx + titlePx, width: chartWidth, height: chartHeight }))
    inner.setAttribute(key, String(value))
  root.append(name, ground, text(title, { x: marginPx, y: marginPx + 14, 'font-size': 14, 'font-weight': 600, ...font }), inner)
  let left = marginPx
  for (const entry of legend.length > 1 ? legend : []) {
    const swatch = document.createElementNS(namespace, 'rect')
    const y = height - marginPx - 10
    for (const [key, value] of Object.entries({ x: left, y, width: 10, height: 10, fill: entry.color }))
      swatch.setAttribute(key, String(value))
    root.append(swatch, text(entry.name, { x: left + 14, y: y + 9, 'font-size': 12, ...font }))
    left += 34 + entry.name.length * 7
  }
  return { svg: new XMLSerializer().serializeToString(root), width, height }
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
