import { ApiError, call } from './client'
import { type UploadCredentials, uploadFields, uploadRoutes } from '#shared/contract/uploads'
import { preparePhoto } from './prepare-photo'

/** How an upload is followed and stopped. */
export interface UploadOptions {
  /** Gets how much of the file has been sent, from 0 to 1. */
  readonly onProgress?: (share: number) => void
  readonly signal?: AbortSignal
}

/**
 * Uploads a file by the contract's procedure (4.16): credentials, then a form whose fields are in the given order; a photo is
 * prepared first. Returns the Location for an attachment or avatar. Throws {@link ApiError}; nothing is stored then.
 */
export async function uploadFile(file: File, { onProgress, signal }: UploadOptions = {}): Promise<string> {
  const [credentials, sent] = await Promise.all([call(uploadRoutes.credentials, { signal }), preparePhoto(file)])
  const form = new FormData()
  const fields = uploadFields(credentials, { file_name: file.name || 'receipt', content_type: file.type })
  for (const [name, value] of fields) form.append(name, value)
  form.append('file', sent)
  return send(toUrl(credentials), form, { onProgress, signal })
}

/** The upload host is this server, unless it is a bucket: asked for by the page's own origin, whatever name the server goes by. */
function toUrl({ host, fields }: UploadCredentials): string {
  return fields === undefined ? new URL(host, location.href).pathname : host
}

/** Only XMLHttpRequest reports upload progress. */
function send(url: string, form: FormData, { onProgress, signal }: UploadOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new ApiError(0, 'network'))
    request.onabort = () => reject(new DOMException('stopped', 'AbortError'))
    request.onload = () => {
      const xml = new DOMParser().parseFromString(request.responseText, 'application/xml')
      const text = (name: string) => xml.querySelector(name)?.textContent ?? ''
      if (request.status === 201) resolve(text('Location'))
      else reject(new ApiError(request.status, text('Message') || text('Code')))
    }
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}
