import type { ContentType } from '#shared/domain/content-types'
import { fromMinor } from '#shared/domain/money'

/** A receipt to draw: what was bought and from whom; amounts in major units. */
export interface DemoReceipt {
  /** A photo is a slightly rotated JPEG, a scan a PNG, an NF-e Brazil's XML invoice. */
  readonly kind: 'photo' | 'scan' | 'pdf' | 'nfe'
  readonly supplier: string
  readonly lines: ReadonlyArray<readonly [text: string, amount: number]>
}

/** A receipt as a file; width and height in pixels where it is an image. */
export interface DrawnReceipt {
  readonly file_name: string
  readonly content_type: ContentType
  readonly bytes: Uint8Array
  readonly width?: number
  readonly height?: number
  readonly pages?: number
}

/** The text printed on a receipt, line by line. */
interface Printed {
  readonly supplier: string
  readonly day: string
  readonly rows: ReadonlyArray<readonly [string, string]>
  readonly total: string
}

const photoSize = { width: 720, height: 960 }
const scanSize = { width: 620, height: 820 }

/** Draws a receipt of a day, `YYYY-MM-DD`. */
export async function drawReceipt(
  { kind, supplier, lines }: DemoReceipt,
  { day, currency }: { day: string; currency: string },
): Promise<DrawnReceipt> {
  const cents = lines.reduce((sum, [, amount]) => sum + Math.round(amount * 100), 0)
  const write = (amount: number) => `${currency} ${amount.toFixed(2)}`
  const printed = {
    supplier,
    day,
    rows: lines.map(([text, amount]) => [text, write(amount)] as const),
    total: write(fromMinor(cents, 'BRL')),
  }
  const name = supplier
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
  switch (kind) {
    case 'photo':
      return { file_name: `${name}.jpg`, content_type: 'image/jpeg', bytes: await toImage(drawPhoto(printed), 'jpeg'), ...photoSize }
    case 'scan':
      return { file_name: `${name}.png`, content_type: 'image/png', bytes: await toImage(drawSlip(printed, scanSize), 'png'), ...scanSize }
    case 'pdf':
      return { file_name: `${name}.pdf`, content_type: 'application/pdf', bytes: await toPdf(printed), pages: 1 }
    case 'nfe':
      return { file_name: `${name}.xml`, content_type: 'application/xml', bytes: new TextEncoder().encode(toNfe(printed, cents)) }
  }
}

/** The libraries for images and PDFs are loaded on demand: otherwise every command would wait for them. */
async function toImage(svg: string, format: 'jpeg' | 'png'): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  const image = sharp(Buffer.from(svg))
  return format === 'jpeg' ? image.jpeg({ quality: 78 }).toBuffer() : image.png({ compressionLevel: 6 }).toBuffer()
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function drawLines({ supplier, day, rows, total }: Printed, width: number): string {
  const line = (text: string, { x, y, rest = '' }: { x: number; y: number; rest?: string }) =>
    `<text x="${x}" y="${y}" ${rest}>${escape(text)}</text>`
  const right = width - 60
  const items = rows.flatMap(([text, amount], index) => {
    const y = 260 + index * 44
    return [line(text, { x: 60, y }), line(amount, { x: right, y, rest: 'text-anchor="end"' })]
  })
  const y = 300 + rows.length * 44
  return [
    line(supplier, { x: width / 2, y: 110, rest: 'text-anchor="middle" font-size="36" font-weight="bold"' }),
    line(day, { x: width / 2, y: 165, rest: 'text-anchor="middle"' }),
    `<path d="M60 200 H${right} M60 ${y - 30} H${right}" stroke="#555" stroke-dasharray="6 5"/>`,
    ...items,
    line('TOTAL', { x: 60, y: y + 20, rest: 'font-size="30" font-weight="bold"' }),
    line(total, { x: right, y: y + 20, rest: 'font-size="30" font-weight="bold" text-anchor="end"' }),
  ].join('')
}

const font = 'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="24" fill="#222"'

function drawSlip(printed: Printed, { width, height }: { width: number; height: number }): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fdfdfa"/><g ${font}>${drawLines(printed, width)}</g></svg>`
}

function drawPhoto(printed: Printed): string {
  const { width, height } = photoSize
  const slip = `<g transform="rotate(-2.5 ${width / 2} ${height / 2}) translate(50 60)"><rect width="620" height="820" fill="#f7f5ee" stroke="#bbb"/><g ${font}>${drawLines(printed, 620)}</g></g>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#7b6651"/>${slip}</svg>`
}

/** One page of text. The same text gives the same bytes, so that its hash stays. */
async function toPdf({ supplier, day, rows, total }: Printed): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts } = await import('@cantoo/pdf-lib')
  const document = await PDFDocument.create({ updateMetadata: false })
  const texts = [supplier, day, '', ...rows.map(([text, amount]) => `${text}    ${amount}`), '', `TOTAL    ${total}`]
  const page = document.addPage([420, 620])
  page.drawText(texts.join('\n'), { x: 60, y: 560, size: 14, lineHeight: 20, font: await document.embedFont(StandardFonts.Helvetica) })
  return document.save()
}

function toNfe({ supplier, day, rows }: Printed, cents: number): string {
  const total = (cents / 100).toFixed(2)
  const items = rows.map(([text, amount], index) => {
    const value = amount.replace(/^\S+ /, '')
    return `<det nItem="${index + 1}"><prod><cProd>${index + 1}</cProd><xProd>${escape(text)}</xProd><qCom>1.0000</qCom><vProd>${value}</vProd></prod></det>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe versao="4.00"><ide><natOp>Venda</natOp><mod>55</mod><serie>1</serie><nNF>1042</nNF><dhEmi>${day}T10:00:00-03:00</dhEmi></ide><emit><CNPJ>00000000000191</CNPJ><xNome>${escape(supplier)}</xNome></emit>${items.join('')}<total><ICMSTot><vNF>${total}</vNF></ICMSTot></total></infNFe></NFe></nfeProc>
`
}
