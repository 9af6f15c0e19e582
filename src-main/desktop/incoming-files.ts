import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { z } from 'zod'
import type { CaptureSource } from '#shared/domain/captures'
import { localHeader } from '#main/http/server/local-header'
import type { Responding } from './protocol'

/** The extensions of files that open with Outlay. */
const endings = new Set(['.jpg', '.jpeg', '.png', '.webp', '.heic', '.heif', '.gif', '.tif', '.tiff', '.pdf', '.xml', '.eml'])

/** Why a file was not captured, in words; undefined if it was captured and is on disk. */
export type CaptureOutcome = { readonly path: string; readonly problem: string | undefined }

/** The files among a start's arguments, without switches and anything that is not a file. */
export async function filesAmong(argv: readonly string[]): Promise<string[]> {
  const named = argv.slice(1).filter((argument) => !argument.startsWith('-') && endings.has(extname(argument).toLowerCase()))
  const found = await Promise.all(
    named.map((path) =>
      stat(path)
        .then((stats) => stats.isFile())
        .catch(() => false),
    ),
  )
  return named.filter((_, index) => found[index])
}

/** Captures a file through the embedded server, as a page would; the file stays in place. */
export async function captureFile(
  responding: Responding,
  { path, source }: { path: string; source: CaptureSource },
): Promise<CaptureOutcome> {
  try {
    const { mtime } = await stat(path)
    const query = new URLSearchParams({ source, file_name: basename(path), captured_at: mtime.toISOString() })
    const response = await responding.server.inject({
      ...requestOf(responding, 'POST', `/captures?${query.toString()}`),
      payload: createReadStream(path),
    })
    return { path, problem: response.statusCode === 201 ? undefined : failureIn(response.payload) }
  } catch (error) {
    return { path, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** A request of the desktop to its embedded server; `path` is below `/api/v1`. */
export function requestOf({ local_secret }: Responding, method: 'GET' | 'POST', path: string) {
  const content = method === 'POST' ? { 'content-type': 'application/octet-stream' } : {}
  return {
    method,
    url: `/api/v1${path}`,
    headers: { host: 'outlay', 'user-agent': 'Outlay desktop', ...content, [localHeader]: local_secret },
  }
}

const refusal = z.object({ errors: z.record(z.string(), z.union([z.string(), z.array(z.string())])) })

/** The message of an error response. */
export function failureIn(payload: string): string {
  try {
    return Object.values(refusal.parse(JSON.parse(payload)).errors)
      .flat()
      .join(' ')
  } catch {
    return payload.slice(0, 200)
  }
}
