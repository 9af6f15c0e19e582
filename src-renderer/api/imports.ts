import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type Import, type ImportChange, type ImportOptions, type ImportProblem, importRoutes } from '#shared/contract/imports'
import { call } from './client'
import { keyRoots } from './keys'

/** Which import of which organization. */
export type ImportKey = Pick<Import, 'organization_id' | 'id'>

/** Query keys of imports. The lines of a pass do not change: they have another key. */
export const importKeys = {
  all: keyRoots.imports,
  list: (organization_id: number) => [...keyRoots.imports, organization_id] as const,
  show: ({ organization_id, id }: ImportKey) => [...keyRoots.imports, organization_id, id] as const,
}

/** A whole import is a key too; a path takes its two parts only. */
const toParams = ({ organization_id, id }: ImportKey) => ({ organization_id, id })

/** Whether background work on a file is in progress. */
export function isRunning({ state }: Import): boolean {
  return state === 'reading' || state === 'importing'
}

/** The files of an organization that wait to be imported, or were lately; newest first. */
export function useImports(organization_id: number, { isEnabled }: { isEnabled: boolean }) {
  return useQuery({
    queryKey: importKeys.list(organization_id),
    queryFn: async ({ signal }) => (await call(importRoutes.list, { params: { organization_id }, signal })).imports,
    enabled: isEnabled,
    refetchOnMount: 'always',
  })
}

/** One import. */
export function useImport(key: ImportKey) {
  return useQuery({
    queryKey: importKeys.show(key),
    queryFn: ({ signal }) => call(importRoutes.show, { params: toParams(key), signal }),
    refetchOnMount: 'always',
  })
}

/** Keeps the response to a write. */
export function keepImport(client: QueryClient, kept: Import): void {
  client.setQueryData(importKeys.show(kept), kept)
}

/** Uploads a file, once under its key; it is read once it is all there. Throws ApiError. */
export function uploadImport(organization_id: number, file: File, idempotencyKey: string): Promise<Import> {
  return call(importRoutes.create, { params: { organization_id }, query: { file_name: file.name }, file, idempotencyKey })
}

/** Says how a file is to be read. Throws ApiError. */
export function readImport(key: ImportKey, options: ImportOptions): Promise<Import> {
  return call(importRoutes.replace, { params: toParams(key), body: options })
}

/** Imports a file; once, however often it is asked for. Throws ApiError. */
export function runImport(key: ImportKey): Promise<Import> {
  return call(importRoutes.run, { params: toParams(key) })
}

/** Stops the work on a file, and removes it. Throws ApiError. */
export async function removeImport(client: QueryClient, key: ImportKey): Promise<void> {
  await call(importRoutes.destroy, { params: toParams(key) })
  client.removeQueries({ queryKey: importKeys.show(key) })
}

/** A page of lines, and where the next one begins. */
interface LinePage<Line> {
  readonly lines: readonly Line[]
  readonly next: number | null
}

async function readProblems(key: ImportKey, after: number, signal?: AbortSignal): Promise<LinePage<ImportProblem>> {
  const { problems: lines, next } = await call(importRoutes.problems, { params: toParams(key), query: { after }, signal })
  return { lines, next }
}

async function readChanges(key: ImportKey, after: number, signal?: AbortSignal): Promise<LinePage<ImportChange>> {
  const { changes: lines, next } = await call(importRoutes.changes, { params: toParams(key), query: { after }, signal })
  return { lines, next }
}

/** What a list of lines belongs to: another pass over the file has other lines. */
function passOf({ organization_id, id, state, options, report }: Import): readonly unknown[] {
  return ['import-lines', organization_id, id, { state, options, report }]
}

/** The rows that are not imported, page after page. */
export function useProblems(shown: Import) {
  return useInfiniteQuery({
    queryKey: [...passOf(shown), 'problems'],
    queryFn: ({ pageParam, signal }) => readProblems(shown, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  })
}

/** The rows that differ from their expenses, page after page. */
export function useChanges(shown: Import) {
  return useInfiniteQuery({
    queryKey: [...passOf(shown), 'changes'],
    queryFn: ({ pageParam, signal }) => readChanges(shown, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  })
}

async function readAll<Line>(read: (after: number) => Promise<LinePage<Line>>): Promise<Line[]> {
  const all: Line[] = []
  for (let next: number | null = 0; next !== null;) {
    const page: LinePage<Line> = await read(next)
    all.push(...page.lines)
    next = page.next
  }
  return all
}

/** All reports about single rows. Throws ApiError. */
export async function readReport(key: ImportKey): Promise<{ problems: ImportProblem[]; changes: ImportChange[] }> {
  return { problems: await readAll((after) => readProblems(key, after)), changes: await readAll((after) => readChanges(key, after)) }
}
