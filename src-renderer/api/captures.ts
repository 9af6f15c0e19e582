import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Capture, captureRoutes } from '#shared/contract/captures'
import type { CaptureSource } from '#shared/domain/captures'
import { localUrl } from './attachments'
import { call } from './client'
import { pageSize, readWhole } from './pages'
import { onReset } from './page/page-state'
import { keyRoots } from './keys'

function readCaptures(signal?: AbortSignal): Promise<Capture[]> {
  return readWhole(async (page) => {
    const { count, captures } = await call(captureRoutes.list, { query: { page, per_page: pageSize }, signal })
    return { count, rows: captures }
  })
}

const captureQuery = { queryKey: keyRoots.captures, queryFn: ({ signal }: { signal: AbortSignal }) => readCaptures(signal) }

/** The captures of these ids that are on no expense, as the server has them now. Throws ApiError. */
export async function findCaptures(client: QueryClient, ids: readonly number[]): Promise<Capture[]> {
  const captures = await client.fetchQuery({ ...captureQuery, staleTime: 0 })
  return captures.filter(({ id }) => ids.includes(id))
}

/** The caller's captures that are on no expense, newest first. */
export function useCaptures() {
  return useQuery({
    ...captureQuery,
    // Captures that arrive while no one listens are not announced.
    refetchOnMount: 'always',
  })
}

/** How a file was captured, and what goes with it. */
export interface CaptureDetails {
  readonly source: CaptureSource
  /** Captures of one expense have the same. */
  readonly group?: string
}

/** A file to capture. `captured_at` is an instant. */
export interface CapturedFile extends CaptureDetails {
  readonly file: File
  readonly captured_at: string
}

/** Captures a file, once however often it is sent under its key: answered when its bytes are on the server's disk. Throws ApiError. */
export function captureFile({ file, source, group, captured_at }: CapturedFile, idempotencyKey: string): Promise<Capture> {
  return call(captureRoutes.create, { query: { source, group, captured_at, file_name: file.name }, file, idempotencyKey })
}

let reading: Promise<Capture[]> | undefined
onReset(() => (reading = undefined))

/** The file of a capture that is on no expense yet; undefined when there is none to be had. Throws ApiError. */
export async function readCapturedFile(id: number): Promise<Blob | undefined> {
  // The receipts of a draft are asked for together: one list is enough for all.
  reading ??= readCaptures().finally(() => (reading = undefined))
  const capture = (await reading).find((known) => known.id === id)
  if (!capture || capture.url === null) return undefined
  const response = await fetch(localUrl(capture.url))
  return response.ok ? response.blob() : undefined
}

/** Shows captures that were just made at the head of the list. */
export function addCaptures(client: QueryClient, added: readonly Capture[]): void {
  void client.cancelQueries({ queryKey: keyRoots.captures })
  const ids = new Set(added.map(({ id }) => id))
  client.setQueryData<Capture[]>(
    keyRoots.captures,
    (known) => known && [...added, ...known.filter(({ id }) => !ids.has(id))].toSorted((a, b) => b.id - a.id),
  )
}

/** Takes captures out of the list: they were deleted, or are on an expense now. */
export function forgetCaptures(client: QueryClient, ids: readonly number[]): void {
  client.setQueryData<Capture[]>(keyRoots.captures, (known) => known?.filter(({ id }) => !ids.includes(id)))
}

/** Writes a note on captures. Throws ApiError. */
export async function noteCaptures(ids: readonly number[], note: string | null): Promise<void> {
  await Promise.all(ids.map((id) => call(captureRoutes.update, { params: { id }, body: { note } })))
}

/** Deletes captures; for a week each can be brought back. Throws ApiError. */
export async function deleteCaptures(ids: readonly number[]): Promise<void> {
  await Promise.all(ids.map((id) => call(captureRoutes.destroy, { params: { id } })))
}

/** Brings deleted captures back. Throws ApiError. */
export async function restoreCaptures(ids: readonly number[]): Promise<void> {
  await Promise.all(ids.map((id) => call(captureRoutes.update, { params: { id }, body: { deleted_at: null } })))
}
