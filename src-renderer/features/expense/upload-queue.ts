import type { TFunction } from 'i18next'
import { contentTypeByExtension, isAllowedContentType } from '#shared/domain/content-types'
import { maxPicturePixels } from '#shared/domain/photos'
import { uploadRefusalOf } from '#shared/domain/upload-refusals'
import { attachUpload } from '../../api/attachments'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { convertPicture, hasTooManyPixels, isConvertedHere, toSmallerPicture } from '../../api/pictures'
import { uploadFile } from '../../api/uploads'
import { newUid } from '../../state/draft'
import { announce } from '../../state/notices'
import { createPageStore } from '../../api/page/page-state'

/** A file on its way to an expense. `share`: how much is sent, 0 to 1. `error`: why it did not get there. */
export type Upload = {
  /** The idempotency key that it is attached under. */
  readonly key: string
  readonly expense_id: number
  readonly file: File
  readonly share: number
  readonly error: string | undefined
  /** Another try can end otherwise. */
  readonly canRetry: boolean
  /** It is a picture that would be taken if it were smaller. */
  readonly canShrink: boolean
  /** Where the server keeps it, once it is uploaded. */
  readonly sent: string | undefined
}

/** Files being uploaded, for any expense: moving to the next expense stops none. */
export const useUploads = createPageStore<{ uploads: readonly Upload[] }>(() => ({ uploads: [] }))

function change(key: string, changes: Partial<Upload>): void {
  useUploads.setState(({ uploads }) => ({ uploads: uploads.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)) }))
}

/** Takes an upload off the list. */
export function dismissUpload(key: string): void {
  useUploads.setState(({ uploads }) => ({ uploads: uploads.filter((upload) => upload.key !== key) }))
}

/** The file with the type its name says, where the system gave none; undefined for a type that is not taken. */
function typed(file: File): File | undefined {
  const known = isAllowedContentType(file.type) ? file.type : contentTypeByExtension.get(file.name.split('.').at(-1)?.toLowerCase() ?? '')
  return known && (known === file.type ? file : new File([file], file.name, { type: known }))
}

/** What uploads need in addition to the files. `mostBytes`: the largest file the server takes. */
export type UploadContext = { readonly t: TFunction<'expense'>; readonly mostBytes: number | undefined }

async function upload({ key, expense_id, file, sent }: Upload, context: UploadContext): Promise<void> {
  const { t } = context
  const fail = (error: string, canShrink = false) => change(key, { error, canRetry: false, canShrink })
  const usable = isConvertedHere(file) ? await convertPicture(file).catch(() => undefined) : typed(file)
  if (usable === undefined) return fail(t('attachments.wrongType'))
  if (context.mostBytes !== undefined && usable.size > context.mostBytes)
    return fail(t('attachments.tooLarge', { size: `${Math.floor(context.mostBytes / 1_048_576)} MiB` }))
  if (await hasTooManyPixels(usable)) return fail(t('capture:refusal.too_many_pixels', { megapixels: maxPicturePixels / 1_000_000 }), true)
  try {
    const location = sent ?? (await uploadFile(usable, { onProgress: (share) => change(key, { share }) }))
    // A retry attaches the existing upload: if only the response was lost, nothing is attached twice.
    change(key, { sent: location })
    await attachUpload(expense_id, location, key)
    dismissUpload(key)
    announce(t('attachments.attached', { name: file.name }))
  } catch (error) {
    const code = error instanceof ApiError && error.status >= 400 && error.status < 500 ? uploadRefusalOf(error.message) : 'refused'
    if (code === 'refused') change(key, { error: failureText(error) })
    else fail(t(`capture:refusal.${code}`, { megapixels: maxPicturePixels / 1_000_000 }), code === 'too_many_pixels')
  }
  return undefined
}

/** Uploads files and attaches them to an expense, all at once. */
export function attachFiles(expense_id: number, files: readonly File[], context: UploadContext): void {
  for (const file of files) {
    const rest = { share: 0, error: undefined, canRetry: true, canShrink: false, sent: undefined }
    const added = { key: newUid(), expense_id, file, ...rest }
    useUploads.setState(({ uploads }) => ({ uploads: [...uploads, added] }))
    void upload(added, context)
  }
}

/** Sends a smaller copy in the place of a picture that is too large. */
export async function shrinkUpload({ key, expense_id, file }: Upload, context: UploadContext): Promise<void> {
  const smaller = await toSmallerPicture(file).catch(() => undefined)
  if (smaller === undefined) return change(key, { error: context.t('capture:refusal.notShrunkTodo'), canShrink: false })
  dismissUpload(key)
  attachFiles(expense_id, [smaller], context)
}

/** Tries an upload that failed once more. */
export function retryUpload(failed: Upload, context: UploadContext): void {
  change(failed.key, { share: 0, error: undefined })
  void upload(failed, context)
}
