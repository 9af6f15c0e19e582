import { setPriority } from 'node:os'
import type { CapturableType } from '#shared/domain/captures'
import { inspectImage, renderImage } from '#main/files/image-files'
import type {
  CapturedFile,
  DeclaredFile,
  Inspection,
  InspectionLimits,
  PageTexts,
  Preparation,
  Prepared,
  FoundCode,
  Thumbnail,
  ThumbnailStyle,
  SplitMail,
} from '#main/files/inspection'
import { inspectPdf, renderPdf } from '#main/files/pdf-files'
import { inspectXml } from '#main/files/xml-files'
import { serveTasks } from '#main/processes/serve-tasks'

// The program of the processes that inspect files. In tests Node runs it from source, where only exact aliases and packages resolve: this file and
// its imports name local modules by alias. It loads what most files need before a file's time limit starts.

/** Inspects a file; an unreadable one is malformed. */
async function inspect({ file, limits }: { file: DeclaredFile; limits: InspectionLimits }): Promise<Inspection> {
  try {
    if (isXml(file.content_type)) return await inspectXml(file.path, limits)
    if (file.content_type !== 'application/pdf') return await inspectImage(file.path, file.content_type, limits)
    return await inspectPdf(file.path, limits)
  } catch {
    return { kind: 'refused', reason: 'malformed' }
  }
}

/** The picture of a file in a style; undefined if it has none or cannot be read. */
async function thumbnail(request: { file: DeclaredFile; style: ThumbnailStyle; limits: InspectionLimits }): Promise<Thumbnail | undefined> {
  const { file, style, limits } = request
  try {
    if (isXml(file.content_type)) return undefined
    if (file.content_type !== 'application/pdf') return await renderImage(file.path, style, limits)
    return await renderPdf(file.path, style, limits)
  } catch {
    return undefined
  }
}

/** Converts a captured file into the file to attach; an unreadable one is malformed. */
async function prepare({ file: { path, content_type }, ...preparation }: Preparation & { file: CapturedFile }): Promise<Prepared> {
  try {
    if (content_type !== 'application/pdf' && !isXml(content_type)) {
      const { prepareImage } = await import('#main/files/prepare-image')
      return await prepareImage(path, content_type, preparation)
    }
    const inspection = await inspect({ file: { path, content_type }, limits: preparation.limits })
    return inspection.kind === 'ok' ? { ...inspection, kind: 'same' } : inspection
  } catch {
    return { kind: 'refused', reason: 'malformed' }
  }
}

/** The files attached to a message; an unreadable one is malformed. */
async function splitMail({ path }: { path: string }): Promise<SplitMail> {
  try {
    const mailFiles = await import('#main/files/mail-files')
    return await mailFiles.splitMail(path)
  } catch {
    return { kind: 'refused', reason: 'malformed' }
  }
}

/** The codes in an image or PDF; empty if it cannot be read. */
async function findCodes({ file, limits }: { file: DeclaredFile; limits: InspectionLimits }): Promise<FoundCode[]> {
  try {
    if (isXml(file.content_type)) return []
    const codeFiles = await import('#main/files/code-files')
    return await codeFiles.findCodes(file, limits)
  } catch {
    return []
  }
}

/** The texts of a PDF by their places. @throws if it cannot be opened, or has too many */
async function readTexts({ path, limits }: { path: string; limits: InspectionLimits }): Promise<PageTexts> {
  const { textsOfPdf } = await import('#main/files/ocr/pdf-text')
  return textsOfPdf(path, limits)
}

/** Checks the signature in an XML document. @throws if the document cannot be read */
async function checkSignature({ text, limits, roots_folder }: { text: string; limits: InspectionLimits; roots_folder?: string }) {
  const [signatures, { readCertificates }] = await Promise.all([import('#main/files/signatures'), import('#main/files/certificates')])
  return signatures.checkSignature(text, { ...limits, roots: await readCertificates(roots_folder) })
}

function isXml(contentType: CapturableType): contentType is 'application/xml' | 'text/xml' {
  return contentType === 'application/xml' || contentType === 'text/xml'
}

/** The lowest priority of a process that is not idle is 19, the usual is 0. */
const lowPriority = 10

serveTasks({ inspect, thumbnail, prepare, splitMail, findCodes, readTexts, checkSignature })
// After the thread that watches memory has started: that thread keeps its priority.
setPriority(0, lowPriority)
