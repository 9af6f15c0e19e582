/**
 * What `npm run test:long` runs beyond `npm test`: the files of which only the long form runs all, in so many slices that CI runs one at each landing, and
 * the table of what a change pulls into CI whole.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

/** Ten landings run all of the long form. */
export const slices = 10

/** The slice whose turn it is: another each three hours, so that landings one after the other run different ones. */
export const sliceNow = (now = Date.now()) => (Math.floor(now / (3 * 60 * 60 * 1000)) % slices) + 1

/** Unit tests on PostgreSQL: what it does otherwise than SQLite, and the records with money. */
export const onPostgres = ['test/postgres', 'test/sync/history', 'test/http/expenses', 'test/http/settlements', 'test/http/search.test.ts']

/** The small part of them that `npm test` runs where PostgreSQL is installed. */
export const fewOnPostgres = [
  'test/postgres/schema',
  'test/postgres/database',
  'test/postgres/commit-in-doubt',
  'test/http/expenses/decisions-hold',
  'test/http/expenses/undo',
  'test/sync/history',
]

/**
 * What a change under a path pulls in at full size: unit tests and browser specs by how their paths begin, unit tests on PostgreSQL, and arguments of
 * `npm run simulate`.
 */
export const pulledIn = [
  { path: /^(?:src-main\/store\/(?:core|postgres)\/|db\/|scripts\/postgres)/, postgres: onPostgres },
  {
    path: /^(?:src-main\/(?:sync|use-cases\/sync|store\/sync)|src-shared\/sync)\//,
    unit: ['test/sync/'],
    simulate: ['--seeds 600', '--mutants'],
  },
  { path: /^(?:src-main\/(?:store|snapshots)\/|db\/)/, unit: ['test/store/', 'test/snapshots/', 'test/disk-full/', 'test/cli/'] },
  {
    path: /^(?:src-main\/(?:use-cases\/captures|files\/ocr)|src-shared\/readings)\//,
    unit: ['test/readings/', 'test/captures/'],
    e2e: ['test/e2e/capture'],
  },
  { path: /^src-main\/(?:files|jobs)\//, unit: ['test/files/', 'test/jobs/', 'test/http/upload'] },
  { path: /^src-main\/(?:use-cases\/access|store\/audit|http)\//, unit: ['test/http/', 'test/audit/'] },
  {
    path: /^(?:src-main\/(?:tables|use-cases\/statements)|src-shared\/(?:codes|invoices))\//,
    unit: ['test/laws/', 'test/tables/', 'test/invoices/'],
  },
  { path: /^src-main\/desktop\//, e2e: ['test/desktop/'] },
  { path: /^src-shared\/i18n\//, e2e: ['test/e2e/languages', 'test/e2e/narrow'] },
  { path: /^src-renderer\/(?:api|state)\//, e2e: ['test/e2e/page-kill', 'test/e2e/full-size'] },
]

/** The files that are larger in the long form: those that ask which form runs. */
export function listLong(paths) {
  const asks = (path) => readFileSync(join(root, path), 'utf8').includes("from '#test/support/form'")
  const long = paths.filter((path) => /^test\/.*\.(?:test|spec)\.tsx?$/.test(path) && asks(path))
  return { unit: long.filter((path) => path.includes('.test.')), e2e: long.filter((path) => path.includes('.spec.')) }
}

/** What changed paths pull in, each once; only files of `long`. */
export function selectPulled(changed, long) {
  const rows = pulledIn.filter(({ path }) => changed.some((one) => path.test(one)))
  const among = (name) => (path) => rows.some((row) => row[name]?.some((start) => path.startsWith(start)))
  const named = (name) => [...new Set(rows.flatMap((row) => row[name] ?? []))]
  return {
    unit: long.unit.filter(among('unit')),
    e2e: long.e2e.filter(among('e2e')),
    postgres: named('postgres'),
    simulate: named('simulate'),
  }
}
