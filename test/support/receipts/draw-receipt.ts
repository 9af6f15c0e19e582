import { type SKRSContext2D, createCanvas } from '@napi-rs/canvas'
import sharp from 'sharp'
import { Dice, type Receipt } from '#test/support/receipts/receipt'

/** How a receipt's picture was taken: scanned, photographed in good light, or badly. */
export const damageLevels = ['scan', 'mild', 'hard'] as const
export type DamageLevel = (typeof damageLevels)[number]

interface Damage {
  readonly lean: number
  readonly wave: number
  readonly blur: number
  readonly noise: number
  readonly ink: number
  readonly shade: number
  readonly quality: number
  readonly margin: number
}

const damages: Readonly<Record<DamageLevel, Damage>> = {
  scan: { lean: 0.7, wave: 0, blur: 0, noise: 4, ink: 30, shade: 0, quality: 85, margin: 0.03 },
  mild: { lean: 2.5, wave: 1.2, blur: 0.7, noise: 7, ink: 55, shade: 0.25, quality: 70, margin: 0.1 },
  hard: { lean: 5, wave: 3, blur: 1.2, noise: 13, ink: 85, shade: 0.45, quality: 45, margin: 0.15 },
}

/** A picture of a receipt as a JPEG. The same seed gives the same picture. */
export async function drawReceipt(receipt: Receipt, level: DamageLevel, seed: number): Promise<Buffer> {
  const dice = new Dice(seed + 5)
  const damage = damages[level]
  const paper = print(receipt, dice, damage.ink)
  const angle = (dice.next() * 2 - 1) * damage.lean
  const table = { r: 120 + dice.whole(0, 60), g: 110 + dice.whole(0, 50), b: 90 + dice.whole(0, 50) }
  const background = level === 'scan' ? { r: 250, g: 250, b: 250 } : table
  const border = Math.round(paper.width * damage.margin)
  const waved = wave(paper, damage.wave, dice)
  const turned = await sharp(waved.data, { raw: { width: waved.width, height: waved.height, channels: 4 } })
    .removeAlpha()
    .extend({ top: border, bottom: border, left: border, right: border, background })
    .rotate(angle, { background })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = turned.info
  worsen(turned.data, { width, height, channels, dice, damage })
  const picture = sharp(turned.data, { raw: { width, height, channels } })
  return (damage.blur > 0 ? picture.blur(damage.blur) : picture).jpeg({ quality: damage.quality }).toBuffer()
}

interface Pixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

const fonts = ['Liberation Mono', 'DejaVu Sans Mono', 'Liberation Mono']

function print({ rows, columns }: Receipt, dice: Dice, ink: number): Pixels {
  const letter = dice.whole(17, 24)
  const step = letter * 0.6
  const line = letter * (1.25 + dice.next() * 0.3)
  const side = step * 2
  const [width, height] = [Math.round(columns * step + 2 * side), Math.round(rows.reduce((sum, { size }) => sum + size * line, 4 * line))]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f6f5f1'
  context.fillRect(0, 0, width, height)
  const font = dice.one(fonts)
  const shade = ink + dice.whole(0, 25)
  context.fillStyle = `rgb(${shade}, ${shade}, ${shade + 4})`
  let y = 2 * line
  for (const { cells, size } of rows) {
    y += size * line
    context.font = `${size > 1.1 ? 'bold ' : ''}${Math.round(letter * size)}px ${font}`
    for (const { text, at, align } of cells) write(context, text, { x: side + at * step, y, align, most: width - 2 * side })
  }
  return { data: context.getImageData(0, 0, width, height).data, width, height }
}

function write(
  context: SKRSContext2D,
  text: string,
  { x, y, align, most }: { x: number; y: number; align: 'left' | 'right' | 'centre'; most: number },
): void {
  context.textAlign = align === 'centre' ? 'center' : align
  context.fillText(text, x, y, most)
}

/** Paper that does not lie flat: its columns are moved up and down in a wave. */
function wave({ data, width, height }: Pixels, most: number, dice: Dice): Pixels {
  if (most === 0) return { data, width, height }
  const [length, phase] = [width * (0.8 + dice.next()), dice.next() * 6]
  const out = new Uint8ClampedArray(data.length)
  for (let x = 0; x < width; x += 1) {
    const shift = Math.round(most * 2 * Math.sin((x / length) * 2 * Math.PI + phase))
    for (let y = 0; y < height; y += 1) {
      const from = 4 * (Math.min(height - 1, Math.max(0, y + shift)) * width + x)
      const to = 4 * (y * width + x)
      for (let channel = 0; channel < 4; channel += 1) out[to + channel] = data[from + channel] ?? 0
    }
  }
  return { data: out, width, height }
}

/** Light that falls from one side, and noise. */
function worsen(
  data: Buffer,
  { width, height, channels, dice, damage }: { width: number; height: number; channels: number; dice: Dice; damage: Damage },
): void {
  const [alongX, alongY] = [dice.next(), dice.next()]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const light = 1 - damage.shade * ((alongX * x) / width + (alongY * y) / height) * 0.7
      const noise = (dice.next() + dice.next() - 1) * damage.noise * 1.6
      const at = (y * width + x) * channels
      for (let channel = 0; channel < channels; channel += 1)
        data[at + channel] = Math.max(0, Math.min(255, (data[at + channel] ?? 0) * light + noise))
    }
}
