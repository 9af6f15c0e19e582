import type { Api, Json } from './instance'
import { pngFile } from './sample-files'
import { uploadFile } from './upload'

/** Uploads a picture and attaches it to an expense, as an application does. */
export async function attach(api: Api, expense_id: number, name: string): Promise<Json> {
  const file = await uploadFile({ api }, await pngFile(name))
  const { status, body } = await api.send('POST', `/expenses/${expense_id}/attachments`, { file })
  if (status !== 201) throw new Error(`The receipt was refused: ${JSON.stringify(body)}`)
  return body
}
