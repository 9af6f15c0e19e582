import type { z } from 'zod'
import { type uploadCredentials, uploadFields } from '#shared/contract/uploads'
import type { Person } from '#test/support/instance'
import type { SampleFile } from '#test/support/sample-files'

/** Upload credentials as a client gets them. */
export type Credentials = z.infer<typeof uploadCredentials>

/** Gets credentials, as the first step of the procedure. */
export async function getCredentials({ api }: Pick<Person, 'api'>): Promise<Credentials> {
  return (await api.get<Credentials>('/uploads/new')).body
}

/** The form's fields in the contract's order (4.16), the file left out. */
export function fieldsFor(credentials: Credentials, { name, type }: SampleFile): Array<[name: string, value: string]> {
  return uploadFields(credentials, { file_name: name, content_type: type })
}

/** A form of these fields with the file after them. */
export function toForm(fields: ReadonlyArray<readonly [string, string]>, { bytes, name, type }: SampleFile): FormData {
  const form = new FormData()
  for (const [field, value] of fields) form.append(field, value)
  form.append('file', new File([new Uint8Array(bytes)], name, { type }))
  return form
}

/** The text of an element in one of the upload protocol's answers. */
export function elementOf(xml: string, name: string): string {
  const [, text = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text.replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Uploads a file by the contract's procedure and answers its Location. Throws when it is refused. */
export async function uploadFile(person: Pick<Person, 'api'>, file: SampleFile): Promise<string> {
  const credentials = await getCredentials(person)
  const response = await fetch(credentials.host, { method: 'POST', body: toForm(fieldsFor(credentials, file), file) })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`Upload refused: ${response.status} ${text}`)
  return elementOf(text, 'Location')
}
