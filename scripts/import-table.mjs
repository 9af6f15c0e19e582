/**
 * Who may import whom. A cell not named is forbidden; files of one layer may import each other.
 * The reasons are in docs/architecture.md.
 */

/** Each layer and its folder. */
const places = {
  domain: 'src-shared/domain/**',
  definitions: 'src-shared/records/**',
  contract: 'src-shared/contract/**',
  invoices: 'src-shared/invoices/**',
  readings: 'src-shared/readings/**',
  codes: 'src-shared/codes/**',
  messages: 'src-shared/sync/**',
  texts: 'src-shared/i18n/**',
  bridge: 'src-shared/desktop/**',
  db: 'db/**',
  clock: 'src-main/clock.ts',
  spans: 'src-main/spans.ts',
  lifetime: 'src-main/lifetime.ts',
  'node-http': 'src-main/node-http.ts',
  threads: 'src-main/worker-file.ts',
  processes: 'src-main/processes/**',
  config: 'src-main/config/**',
  package: 'package.json',
  store: 'src-main/store/**',
  files: 'src-main/files/**',
  tables: 'src-main/tables/**',
  'use-cases': 'src-main/use-cases/**',
  'change-feed': 'src-main/change-feed/**',
  http: 'src-main/http/**',
  sync: 'src-main/sync/**',
  jobs: 'src-main/jobs/**',
  monitoring: 'src-main/monitoring/**',
  snapshots: 'src-main/snapshots/**',
  demo: 'src-main/demo/**',
  commands: 'src-main/commands/**',
  app: ['src-main/app.ts', 'src-main/open-server.ts', 'src-main/open-own-store.ts', 'src-main/thread-worker.ts'],
  cli: 'src-main/cli.ts',
  main: 'src-main/main.ts',
  desktop: 'src-main/desktop/**',
  icons: 'src-main/desktop/icons/**',
  preload: 'src-main/preload/**',
  api: 'src-renderer/api/**',
  state: 'src-renderer/state/**',
  ui: 'src-renderer/ui/**',
  records: 'src-renderer/records/**',
  shell: 'src-renderer/*',
}

const shared = ['domain', 'definitions', 'contract', 'invoices', 'codes', 'readings', 'messages', 'texts']
const ofPages = [...shared, 'bridge']
const anywhereInMain = [...shared, 'clock', 'spans', 'lifetime', 'node-http', 'threads', 'processes']
const layersOfMain = [
  ...['config', 'store', 'files', 'tables', 'use-cases', 'change-feed', 'http', 'sync', 'jobs', 'monitoring', 'demo', 'commands', 'app'],
  'snapshots',
  'desktop',
]

/** Rows and representations read straight from the store need no use case; the code that formats them imports the store's types. */
const mayImport = {
  domain: [],
  definitions: ['domain'],
  contract: ['domain', 'definitions', 'readings', 'invoices'],
  invoices: ['domain'],
  readings: ['domain', 'codes'],
  codes: ['domain'],
  messages: ['domain', 'definitions'],
  texts: ['domain'],
  bridge: ['domain'],
  db: ['domain', 'definitions'],
  clock: ['domain'],
  spans: [],
  lifetime: [],
  'node-http': [],
  threads: [],
  processes: ['lifetime', 'threads'],
  config: [...anywhereInMain, 'package'],
  store: [...anywhereInMain, 'db'],
  files: anywhereInMain,
  tables: [...shared, 'lifetime'],
  'use-cases': [...anywhereInMain, 'db', 'store', 'files', 'tables'],
  'change-feed': [...anywhereInMain, 'db', 'store'],
  http: [...anywhereInMain, 'db', 'use-cases', 'store', 'files', 'change-feed', 'monitoring'],
  sync: [...anywhereInMain, 'db', 'use-cases', 'change-feed', 'store', 'files'],
  jobs: [...anywhereInMain, 'config', 'db', 'use-cases', 'store', 'files', 'change-feed'],
  monitoring: [...anywhereInMain, 'config', 'store'],
  snapshots: [...anywhereInMain, 'config', 'db', 'store', 'files'],
  demo: [...anywhereInMain, 'db', 'use-cases', 'store', 'files'],
  commands: [...anywhereInMain, 'monitoring', 'db', 'app', 'sync', 'use-cases', 'store', 'tables', 'config', 'files', 'snapshots', 'demo'],
  app: [...anywhereInMain, ...layersOfMain, 'db'],
  cli: [...anywhereInMain, ...layersOfMain],
  main: [...anywhereInMain, ...layersOfMain, 'bridge'],
  desktop: [...anywhereInMain, 'bridge', 'app', 'config', 'files', 'http', 'jobs', 'snapshots', 'store', 'sync', 'use-cases'],
  preload: ['bridge'],
  icons: [],
  api: ofPages,
  state: [...ofPages, 'api'],
  ui: [...ofPages, 'state', 'shell'],
  records: [...ofPages, 'api', 'state', 'ui'],
  shell: [...ofPages, 'api', 'state', 'ui', 'records', 'feature'],
  feature: [...ofPages, 'api', 'state', 'ui', 'records'],
}

/** Packages that only some layers may use. `node:*` means everything that only Node has. */
const packagesOf = [
  { sources: ['kysely'], layers: ['store', 'db'] },
  { sources: ['better-sqlite3'], layers: ['store', 'db', 'snapshots'] },
  { sources: ['fastify', 'fastify-*', '@fastify/*'], layers: ['http'] },
  { sources: ['electron'], layers: ['desktop', 'preload', 'main'] },
  {
    sources: ['react', 'react-dom', '@mantine/*', '@tanstack/*', 'zustand', 'wouter', 'lucide-react'],
    layers: ['api', 'state', 'ui', 'records', 'shell', 'feature'],
  },
]
const anywhere = [...ofPages, 'api', 'state', 'ui', 'records', 'shell', 'feature']

const file = (categories, captured) => ({ file: { categories, ...(captured && { captured }) } })

/** The settings of eslint-plugin-boundaries that name the layers. */
export const boundarySettings = {
  'boundaries/files': [
    ...Object.entries(places).map(([category, pattern]) => ({ category, pattern })),
    { category: 'feature', pattern: 'src-renderer/features/*/**', capture: ['feature'] },
  ],
}

/** The options of its rule `boundaries/dependencies`. The last policy that fits an import decides. */
export const boundaryRule = {
  default: 'disallow',
  checkAllOrigins: true,
  checkUnknownLocals: true,
  checkInternals: true,
  message: 'The import table (scripts/import-table.mjs) does not let this layer import that.',
  policies: [
    { allow: { to: { module: { origin: ['external', 'core'] } } } },
    ...Object.entries(mayImport).map(([layer, others]) => ({
      from: file(layer),
      allow: { to: file(layer === 'feature' ? others : [layer, ...others]) },
    })),
    { from: file('feature'), allow: { to: file('feature', { feature: '{{ from.file.captured.feature }}' }) } },
    ...packagesOf.map(({ sources, layers }) => ({
      from: { file: { categories: { noneOf: layers } } },
      disallow: { to: { module: { source: sources } } },
    })),
    { from: file(anywhere), disallow: { to: { module: { origin: 'core' } } } },
  ],
}
