import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'

/** The fields of a form in order. The file appears as its field's name and its own name. */
export type FormFields = ReadonlyArray<readonly [name: string, value: string]>

/** A form read to its end. It is not whole if it broke off, is malformed, is too large, or continues after its file. */
export interface UploadForm<T> {
  readonly is_whole: boolean
  readonly fields: FormFields
  /** The result of `takeFile`; undefined if no file came. */
  readonly taken: T | undefined
}

/** Far above an upload form's needs: eight parts, of which the policy is the longest. */
const limits = { fields: 20, fieldSize: 20 * 1024, files: 1, parts: 22, headerPairs: 20, headerSize: 16 * 1024 }

/** A stream ended too early. */
class BrokenOff extends Error {}

/**
 * Reads a multipart form from a raw request. Calls `takeFile` with the fields before the file's part when that part begins; it may leave bytes
 * unread. Always reads to the end, so that a client that is still sending gets the response. Throws the errors of `takeFile`, unless the form broke
 * off.
 */
export async function readUploadForm<T>(
  request: Readable,
  content_type: string,
  takeFile: (fields: FormFields, bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<UploadForm<T>> {
  const fields: Array<readonly [string, string]> = []
  let isWhole = true
  let file: BusboyFileStream | undefined
  let taken: Promise<PromiseSettledResult<T>> | undefined
  const refuse = () => {
    isWhole = false
  }
  const form = createForm(content_type)
  if (form === undefined) {
    request.resume()
    return { is_whole: false, fields, taken: undefined }
  }
  form.on('field', (name, value, ...[, isCut]) => {
    if (file !== undefined || isCut) refuse()
    else fields.push([String(name), value])
  })
  form.on('file', (name, stream, fileName: string | undefined) => {
    file = stream
    fields.push([String(name), fileName ?? ''])
    // The form also emits an interrupted part as an error; without a listener that would end the process.
    stream.on('error', refuse)
    const result = takeFile(fields, stream.iterator({ destroyOnReturn: false })).finally(() => stream.resume())
    taken = Promise.allSettled([result]).then(([settled]) => settled)
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit']) form.on(limit, refuse)
  if (!(await pump(request, form))) {
    refuse()
    file?.destroy(new BrokenOff())
  }
  const settled = await taken
  if (settled?.status === 'rejected' && isWhole) throw settled.reason
  return { is_whole: isWhole, fields, taken: settled?.status === 'fulfilled' ? settled.value : undefined }
}

function createForm(content_type: string): BusboyInstance | undefined {
  if (!/^multipart\/form-data\s*;/i.test(content_type)) return undefined
  try {
    return new Busboy({
      headers: { 'content-type': content_type },
      limits,
      preservePath: true,
      isPartAFile: (name, _type, fileName) => fileName !== undefined || name?.toLowerCase() === 'file',
    })
  } catch {
    return undefined
  }
}

/** Feeds the request to the form; returns whether it was complete. */
async function pump(request: Readable, form: BusboyInstance): Promise<boolean> {
  const isWhole = await new Promise<boolean>((resolve) => {
    form.on('finish', () => resolve(true))
    form.on('error', () => resolve(false))
    request.on('error', () => resolve(false))
    request.on('close', () => {
      if (!request.readableEnded) resolve(false)
    })
    request.pipe(form)
  })
  request.unpipe(form)
  request.resume()
  return isWhole
}
