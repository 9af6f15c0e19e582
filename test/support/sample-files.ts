import sharp from 'sharp'
import { pdf, picture } from '#test/files/samples'

/** A file as a person picks it to upload. */
export interface SampleFile {
  readonly bytes: Uint8Array
  readonly name: string
  readonly type: string
}

/** A photograph of a receipt. Each is looked through for codes, which takes a second of a processor for 1200 x 800 pixels: it is small unless told otherwise. */
export async function jpgFile({ name = 'receipt.jpg', width = 300, height = 200 } = {}): Promise<SampleFile> {
  return { bytes: await picture(width, height).jpeg().toBuffer(), name, type: 'image/jpeg' }
}

/** A screenshot with transparency. */
export async function pngFile(name = 'receipt.png', { width = 100, height = 225 } = {}): Promise<SampleFile> {
  const image = sharp({ create: { width, height, channels: 4, background: { r: 200, g: 10, b: 10, alpha: 0.5 } } })
  return { bytes: await image.png().toBuffer(), name, type: 'image/png' }
}

/** A scan, 500 x 700 pixels. */
export async function tiffFile(name = 'scan.tiff'): Promise<SampleFile> {
  return { bytes: await picture(500, 700).tiff({ compression: 'lzw' }).toBuffer(), name, type: 'image/tiff' }
}

/** An invoice of one page, 300 points wide and a strip unless told otherwise: a whole page is looked through for codes for three seconds. */
export function pdfFile(name = 'invoice.pdf', { height = 40 } = {}): SampleFile {
  return { bytes: pdf({ height }), name, type: 'application/pdf' }
}

/** A Brazilian electronic invoice, as much of one as matters here; `prolog` stands before its root. */
export function xmlFile({ name = 'nfe.xml', prolog = '<?xml version="1.0" encoding="UTF-8"?>', id = 'NFe1' } = {}): SampleFile {
  return {
    bytes: new TextEncoder().encode(`${prolog}<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="${id}"/></NFe>`),
    name,
    type: 'application/xml',
  }
}
