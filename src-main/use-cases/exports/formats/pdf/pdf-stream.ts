import { PDFArray, type PDFContext, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFRef } from '@cantoo/pdf-lib'

const catalogNumber = 1
const treeNumber = 2
const infoNumber = 3

/** Writes a PDF part by part: what is written is forgotten, so that a document of any length takes the memory of its largest part. */
export class PdfStream {
  readonly #offsets = new Map<number, number>()
  readonly #pages: PDFRef[] = []
  #last = infoNumber
  #written = 0

  constructor(readonly title: string) {}

  /** Begins a part: a document whose objects get numbers that no other part has. */
  async part(): Promise<PDFDocument> {
    const part = await PDFDocument.create()
    part.context.largestObjectNumber = Math.max(this.#last, part.context.largestObjectNumber)
    this.#last = part.context.largestObjectNumber
    return part
  }

  /** The first bytes. */
  begin(): Uint8Array {
    return this.#count(Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1'))
  }

  /** The bytes of a part; the next one may begin only now. */
  async write(part: PDFDocument): Promise<Uint8Array> {
    const tree = PDFRef.of(treeNumber)
    for (const page of part.getPages()) {
      page.node.set(PDFName.of('Parent'), tree)
      this.#pages.push(page.ref)
    }
    await part.flush()
    const chunks: Uint8Array[] = []
    const before = this.#last
    for (const [ref, object] of part.context.enumerateIndirectObjects()) {
      if (ref.objectNumber <= before) continue
      const bytes = new Uint8Array(object.sizeInBytes())
      object.copyBytesInto(bytes, 0)
      chunks.push(this.#object(ref.objectNumber, bytes))
    }
    this.#last = Math.max(this.#last, part.context.largestObjectNumber)
    return Buffer.concat(chunks)
  }

  /** The last bytes: the tree of pages, and where every object is. */
  async end(): Promise<Uint8Array> {
    const { context } = await PDFDocument.create()
    const chunks = [
      this.#object(catalogNumber, toBytes(dictOf(context, { Type: PDFName.of('Catalog'), Pages: PDFRef.of(treeNumber) }))),
      this.#object(treeNumber, toBytes(this.#tree(context))),
      this.#object(
        infoNumber,
        toBytes(dictOf(context, { Title: PDFHexString.fromText(this.title), Producer: PDFHexString.fromText('Outlay') })),
      ),
    ]
    const at = this.#written
    const size = this.#last + 1
    const place = (offset: number, generation: string, kind: string) => `${String(offset).padStart(10, '0')} ${generation} ${kind} \n`
    const entries = Array.from({ length: size - 1 }, (_, index) => {
      const offset = this.#offsets.get(index + 1)
      return offset === undefined ? place(0, '00000', 'f') : place(offset, '00000', 'n')
    })
    const trailer = `trailer\n<< /Size ${size} /Root ${catalogNumber} 0 R /Info ${infoNumber} 0 R >>\nstartxref\n${at}\n%%EOF\n`
    return Buffer.concat([...chunks, Buffer.from(`xref\n0 ${size}\n${place(0, '65535', 'f')}${entries.join('')}${trailer}`)])
  }

  #tree(context: PDFContext): PDFDict {
    const kids = PDFArray.withContext(context)
    for (const ref of this.#pages) kids.push(ref)
    return dictOf(context, { Type: PDFName.of('Pages'), Count: PDFNumber.of(this.#pages.length), Kids: kids })
  }

  #object(number: number, bytes: Uint8Array): Uint8Array {
    this.#offsets.set(number, this.#written)
    return this.#count(Buffer.concat([Buffer.from(`${number} 0 obj\n`), bytes, Buffer.from('\nendobj\n')]))
  }

  #count(bytes: Uint8Array): Uint8Array {
    this.#written += bytes.length
    return bytes
  }
}

type Entries = Readonly<Record<string, Parameters<PDFDict['set']>[1]>>

function dictOf(context: PDFContext, entries: Entries): PDFDict {
  const dict = PDFDict.withContext(context)
  for (const [name, value] of Object.entries(entries)) dict.set(PDFName.of(name), value)
  return dict
}

function toBytes(object: PDFDict): Uint8Array {
  const bytes = new Uint8Array(object.sizeInBytes())
  object.copyBytesInto(bytes, 0)
  return bytes
}
