// By alias: the inspection's thread runs this from its source in tests, where no extension is added.
import { contentTypes } from '#shared/domain/content-types'

/** How a file was captured. `mail`: it was attached to a message that was captured. */
export const captureSources = ['camera', 'drop', 'paste', 'screen', 'folder', 'opened', 'mail'] as const
export type CaptureSource = (typeof captureSources)[number]

/** A message with attachments: each of them becomes a capture. */
export const mailType = 'message/rfc822'

/** The content types that can be captured: those of attachments, and those that are converted to one. */
export const capturableTypes = [...contentTypes, 'image/heic', 'image/webp', 'image/avif', mailType] as const
export type CapturableType = (typeof capturableTypes)[number]
