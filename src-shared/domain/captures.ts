// By alias: the inspection's process runs this from source in tests, where no extension is added.
import { contentTypes } from '#shared/domain/content-types'

/** How a file was captured. `mail`: as an attachment of a captured message. */
export const captureSources = ['camera', 'drop', 'paste', 'screen', 'folder', 'opened', 'mail'] as const
export type CaptureSource = (typeof captureSources)[number]

/** A message: each of its attachments becomes a capture. */
export const mailType = 'message/rfc822'

/** The content types that can be captured: those of attachments, and those that are converted. */
export const capturableTypes = [...contentTypes, 'image/heic', 'image/webp', 'image/avif', mailType] as const
export type CapturableType = (typeof capturableTypes)[number]

/** A subject as the name of a file, whole: what separates folders becomes a dash. */
export function asFileName(subject: string): string {
  return subject.replaceAll(/[/\\]/g, '-')
}
