import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { createCanvas } from '@napi-rs/canvas'
import sharp from 'sharp'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import type { CodeFormat } from '#shared/codes/facts'
import { checkDigitOf } from '#shared/domain/modulo-11'
import { makeCnpj, makeKey } from '#test/support/invoices'

/** A code that a made receipt has, and the key and total of what it says. */
export interface MadeCode {
  readonly text: string
  readonly format: CodeFormat
  readonly key: string
  readonly total_minor: number | undefined
}

/** How a picture of a receipt came about. `scan`: a flat-bed scanner; `mild`: a photo at a table; `hard`: faded, blurred and at an angle. */
export const damageLevels = ['scan', 'mild', 'hard'] as const
export type Damage = (typeof damageLevels)[number]

/** Pseudo-random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const digits = (random: () => number, count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('')

/** The kinds of code in turn: NFC-e online, offline and of version 1, SAT, a key in bars, and a Portuguese invoice. */
export function makeCode(number: number): MadeCode {
  const random = randomFrom(number)
  const total = (1 + random() * 400).toFixed(2)
  const total_minor = Number(total.replace('.', ''))
  const site = 'https://www.nfce.fazenda.sp.gov.br/NFCeConsultaPublica/Paginas/ConsultaQRCode.aspx'
  const hash = Array.from({ length: 40 }, () => '0123456789ABCDEF'[Math.floor(random() * 16)]).join('')
  const cnpj = makeCnpj(digits(random, 8) + '0001')
  const key = makeKey({ cnpj, model: '65', number: String(1 + Math.floor(random() * 99_999)) })
  const qr = (text: string, has: { key: string; total_minor?: number }) => ({
    total_minor: undefined,
    ...has,
    text,
    format: 'QRCode' as const,
  })
  switch (number % 6) {
    case 0:
      return qr(`${site}?p=${key}|2|1|1|${hash}`, { key })
    case 1:
      return qr(`${site}?p=${key}|2|1|04|${total}|${hash}|1|${hash}`, { key, total_minor })
    case 2: {
      const instant = Buffer.from('2026-01-04T13:22:10-03:00').toString('hex')
      const text = `${site}?chNFe=${key}&nVersao=100&tpAmb=1&dhEmi=${instant}&vNF=${total}&vICMS=0.00&digVal=${hash}&cIdToken=000001&cHashQRCode=${hash}`
      return qr(text, { key, total_minor })
    }
    case 3: {
      const body = `352601${cnpj}59${digits(random, 9)}${digits(random, 6)}${digits(random, 6)}`
      const sat = body + checkDigitOf(body)
      const signature = Buffer.from(digits(random, 256)).toString('base64')
      return qr(`${sat}|20260104132210|${total}||${signature.slice(0, 344)}`, { key: sat, total_minor })
    }
    case 4:
      return { text: makeKey({ cnpj }), format: 'Code128', key: makeKey({ cnpj }), total_minor: undefined }
    default: {
      const base = '5' + digits(random, 7)
      const nif = base + checkDigitOf(base)
      const document = `FS A/${1 + Math.floor(random() * 99_999)}`
      const text = `A:${nif}*B:999999990*C:PT*D:FS*E:N*F:20260104*G:${document}*H:CDF7T5HD-1*I1:PT*I7:1.00*I8:0.23*N:0.23*O:${total}*Q:aBcD*R:1234`
      return qr(text, { key: `PT ${nif} ${document}`, total_minor })
    }
  }
}

let ready: Promise<unknown> | undefined

async function drawCode({ text, format }: MadeCode): Promise<{ data: Uint8ClampedArray; width: number; height: number }> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm')
  ready ??= readFile(file).then((bytes) =>
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(bytes).buffer }, fireImmediately: true }),
  )
  await ready
  const { symbol } = await writeBarcode(text, { format })
  return symbol
}

/** The receipt on white paper, 640 pixels wide (80 mm at 203 dpi): so many lines of text above the code, and one below. */
export async function paintReceipt(code: MadeCode, { lines = 12 } = {}): Promise<Uint8Array> {
  const symbol = await drawCode(code)
  const width = 640
  const isBars = code.format === 'Code128'
  const dot = isBars ? Math.max(1, Math.floor((width - 40) / symbol.width)) : Math.max(2, Math.floor(250 / symbol.width))
  const [codeWidth, codeHeight] = [symbol.width * dot, isBars ? 70 : symbol.height * dot]
  const height = 520 + codeHeight
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#111'
  context.font = '22px monospace'
  for (let line = 0; line < lines; line += 1)
    context.fillText(`${String(line + 1).padStart(3, '0')} PRODUTO ${line * 37} UN  12,${10 + line}`, 40, 50 + line * 30)
  const [left, top] = [Math.round((width - codeWidth) / 2), 420]
  for (let y = 0; y < symbol.height; y += 1)
    for (let x = 0; x < symbol.width; x += 1)
      if ((symbol.data[y * symbol.width + x] ?? 255) < 128)
        context.fillRect(left + x * dot, top + (isBars ? 0 : y * dot), dot, isBars ? codeHeight : dot)
  context.fillText('OBRIGADO', 260, top + codeHeight + 50)
  return canvas.encode('png')
}

const levels = {
  scan: { turn: 1.5, lean: 0.00002, blur: 0.4, shade: 0.05, fade: 0.05, noise: 6, quality: 85, scale: 1 },
  mild: { turn: 8, lean: 0.00012, blur: 0.9, shade: 0.35, fade: 0.2, noise: 10, quality: 70, scale: 1.25 },
  hard: { turn: 25, lean: 0.0003, blur: 1.7, shade: 0.6, fade: 0.5, noise: 18, quality: 45, scale: 1.1 },
} as const

/** A photo or scan of that paper, as JPEG: turned, leaning, blurred, shaded, faded, with noise. */
export async function damage(paper: Uint8Array, level: Damage, seed: number): Promise<Uint8Array> {
  const { turn, lean, blur, shade, fade, noise, quality, scale } = levels[level]
  const random = randomFrom(seed * 31 + damageLevels.indexOf(level))
  const within = (most: number) => (random() * 2 - 1) * most
  const { data: source, info } = await sharp(paper).greyscale().raw().toBuffer({ resolveWithObject: true })
  const [width, height] = [Math.round(info.width * scale * 1.3), Math.round(info.height * scale * 1.2)]
  const [angle, leanX, leanY, light] = [(within(turn) * Math.PI) / 180, within(lean), within(lean), random() * 2 * Math.PI]
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [fromX, fromY] = [(x - width / 2) / scale, (y - height / 2) / scale]
      const far = 1 + leanX * fromX + leanY * fromY
      const sourceX = (Math.cos(angle) * fromX + Math.sin(angle) * fromY) / far + info.width / 2
      const sourceY = (Math.cos(angle) * fromY - Math.sin(angle) * fromX) / far + info.height / 2
      const ink = 255 - at(source, info, sourceX, sourceY)
      const lit = 1 - shade * (0.5 + 0.5 * Math.sin(light + (x / width + y / height) * 2))
      const grain = (random() + random() + random() - 1.5) * noise
      pixels[y * width + x] = Math.max(0, Math.min(255, (250 - ink * (1 - fade)) * lit + grain))
    }
  const photo = sharp(pixels, { raw: { width, height, channels: 1 } }).blur(Math.max(0.3, blur))
  return photo.jpeg({ quality }).toBuffer()
}

/** The grey between four pixels; outside the paper a dark table. */
function at(data: Uint8Array, { width, height }: { width: number; height: number }, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return 70
  const [alongX, alongY] = [x - left, y - top]
  const pixel = (dx: number, dy: number) => data[(top + dy) * width + left + dx] ?? 0
  const upper = pixel(0, 0) * (1 - alongX) + pixel(1, 0) * alongX
  const lower = pixel(0, 1) * (1 - alongX) + pixel(1, 1) * alongX
  return upper * (1 - alongY) + lower * alongY
}
