import type { ContentType } from './content-types'

/** How a file was captured. `mail`: it was attached to a message that was captured. */
export const captureSources = ['camera', 'drop', 'paste', 'screen', 'folder', 'opened', 'mail'] as const
export type CaptureSource = (typeof captureSources)[number]

/** A message with attachments: each of them becomes a capture. */
export const mailType = 'message/rfc822'

/** A content type that can be captured: one of attachments, or what is made into one. */
export type CapturableType = ContentType | 'image/heic' | typeof mailType
