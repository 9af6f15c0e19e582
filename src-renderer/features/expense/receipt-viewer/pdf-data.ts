const files: Readonly<Record<string, string>> = {
  ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
}

const urlByName = new Map(Object.entries(files).map(([path, url]) => [path.split('/').at(-1), url]))

/**
 * Gives the PDF reader its resources from our own files: the fonts that every PDF may use without embedding them,
 * and the decoders for scanners' formats (JBIG2, CCITT fax, JPEG 2000). They run in its worker, which may create code.
 */
export class BundledPdfData {
  /** The bytes of a file by the reader's name for it. Throws for one that is not bundled. */
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = urlByName.get(filename)
    if (url === undefined) throw new Error(`Not bundled: ${filename}`)
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${filename} answered ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  }
}
