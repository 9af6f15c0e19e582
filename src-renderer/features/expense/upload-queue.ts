import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { create } from 'zustand'
import { contentTypeByExtension, isAllowedContentType } from '#shared/domain/content-types'
import { attachFile } from '../../api/attachments'
import { expenseKeys } from '../../api/expenses'
import { failureText } from '../../api/failure-text'
import { announce } from '../../state/notices'

/** A file on its way to an expense. `share`: how much is sent, 0 to 1. `error`: why it did not get there. */
export type Upload = {
  readonly key: number
  readonly expense_id: number
  readonly file: File
  readonly share: number
  readonly error: string | undefined
  /** Another try can end otherwise. */
  readonly canRetry: boolean
}

/** Files on their way, to whichever expense: going on to the next expense stops none. */
export const useUploads = create<{ uploads: readonly Upload[] }>()(() => ({ uploads: [] }))

let lastKey = 0

function change(key: number, changes: Partial<Upload>): void {
  useUploads.setState(({ uploads }) => ({
    uploads: uploads.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)),
  }))
}

/** Takes an upload off the list. */
export function dismissUpload(key: number): void {
  useUploads.setState(({ uploads }) => ({ uploads: uploads.filter((upload) => upload.key !== key) }))
}

/** The file with the type its name says, where the system gave none; undefined for a type that is not taken. */
function typed(file: File): File | undefined {
  const known = isAllowedContentType(file.type)
    ? file.type
    : contentTypeByExtension.get(file.name.split('.').at(-1)?.toLowerCase() ?? '')
  return known && (known === file.type ? file : new File([file], file.name, { type: known }))
}

/** What uploads need besides the files. `mostBytes`: the largest file the server takes. */
export type UploadContext = {
  readonly queryClient: QueryClient
  readonly t: TFunction<'expense'>
  readonly mostBytes: number | undefined
}

async function upload(
  key: number,
  { expense_id, file }: { expense_id: number; file: File },
  context: UploadContext,
): Promise<void> {
  const { queryClient, t, mostBytes } = context
  const sent = typed(file)
  if (sent === undefined) return change(key, { error: t('attachments.wrongType'), canRetry: false })
  if (mostBytes !== undefined && sent.size > mostBytes)
    return change(key, {
      error: t('attachments.tooLarge', { size: `${Math.floor(mostBytes / 1_048_576)} MiB` }),
      canRetry: false,
    })
  try {
    await attachFile(expense_id, sent, { onProgress: (share) => change(key, { share }) })
    dismissUpload(key)
    announce(t('attachments.attached', { name: file.name }))
    await queryClient.invalidateQueries({ queryKey: expenseKeys.all })
  } catch (error) {
    change(key, { error: failureText(error) })
  }
  return undefined
}

/** Uploads files and attaches them to an expense, all at once. */
export function attachFiles(expense_id: number, files: readonly File[], context: UploadContext): void {
  for (const file of files) {
    lastKey += 1
    const key = lastKey
    useUploads.setState(({ uploads }) => ({
      uploads: [...uploads, { key, expense_id, file, share: 0, error: undefined, canRetry: true }],
    }))
    void upload(key, { expense_id, file }, context)
  }
}

/** Tries an upload that failed once more. */
export function retryUpload({ key, expense_id, file }: Upload, context: UploadContext): void {
  change(key, { share: 0, error: undefined })
  void upload(key, { expense_id, file }, context)
}
