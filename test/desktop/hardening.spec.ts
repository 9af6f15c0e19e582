import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { fuses, pagePreferences } from '#main/desktop/security'
import { makeComputer, test } from '#test/desktop/support/folder'
import { type Desktop, isRealElectron, wholeBrowser } from '#test/desktop/support/launch'

const root = join(import.meta.dirname, '../..')
// The package comes without types.
const { load }: { load: (yaml: string) => Record<string, unknown> } = createRequire(import.meta.url)('js-yaml')

/** What is seen of the program while both its windows are open, each look without leaving anything behind for the next. */
const looks: Readonly<Record<string, (desktop: Desktop) => Promise<void>>> = {
  'every window has the preferences that keep a page inside': async (desktop) => {
    const read = await desktop.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }) =>
        (webContents as typeof webContents & { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences(),
      ),
    )
    expect(read).toHaveLength(2)
    for (const preferences of read) {
      expect(preferences).toMatchObject(pagePreferences)
      expect(preferences.preload).toMatch(/preload\.cjs$/)
      expect(Object.keys(preferences).filter((name) => /enableBlink|additionalArguments|offscreen|javascript/.test(name))).toEqual([])
    }
  },
  'a page sees nothing of Node or Electron, and its bridge cannot be changed': async (desktop) => {
    for (const page of desktop.pages()) {
      const seen = await page.evaluate(() => {
        const bridge = window.outlayDesktop
        return {
          globals: ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer', 'electron'].filter((name) => name in window),
          members: Object.keys(bridge ?? {}),
          isFrozen: Object.isFrozen(bridge),
        }
      })
      expect(seen).toEqual({ globals: [], members: ['platform', 'call', 'on'], isFrozen: true })
    }
  },
  'of everything that a page can ask to be allowed, only the camera, the screen and copying are': async (desktop) => {
    // A real Electron does not give back the handlers of its session.
    if (isRealElectron) return
    const granted = await desktop.evaluate(({ standIn }) => {
      type Details = { requestingUrl: string; isMainFrame: boolean; mediaTypes?: string[] }
      type Ask = (contents: unknown, permission: string, decide: (isGranted: boolean) => void, details: Details) => void
      type Check = (contents: unknown, permission: string, origin: string, details: { isMainFrame: boolean; mediaType?: string }) => boolean
      const ask = standIn.handlers.permissionRequest as Ask
      const check = standIn.handlers.permissionCheck as Check
      const permissions = [
        'clipboard-read',
        'clipboard-sanitized-write',
        'display-capture',
        'fullscreen',
        'geolocation',
        'idle-detection',
        'media',
        'mediaKeySystem',
        'midi',
        'midiSysex',
        'notifications',
        'pointerLock',
        'keyboardLock',
        'openExternal',
        'speaker-selection',
        'storage-access',
        'top-level-storage-access',
        'window-management',
        'unknown',
        'fileSystem',
        'hid',
        'serial',
        'usb',
        'background-sync',
        'sensors',
      ]
      const found: string[] = []
      for (const permission of permissions)
        for (const url of ['app://outlay/review', 'app://evil/review', 'https://evil.example/', 'file:///etc/passwd'])
          for (const isMainFrame of [true, false])
            for (const media of permission === 'media' ? [['video'], ['audio'], ['video', 'audio'], []] : [undefined]) {
              const name = `${permission}${media ? ` ${media.join('+')}` : ''} ${url} ${isMainFrame ? 'page' : 'frame'}`
              const details = { requestingUrl: url, isMainFrame, ...(media ? { mediaTypes: media } : {}) }
              ask({}, permission, (isGranted) => isGranted && found.push(`ask ${name}`), details)
              const [mediaType] = media ?? []
              if (media?.length !== 2 && check({}, permission, url, { isMainFrame, ...(mediaType ? { mediaType } : {}) }))
                found.push(`check ${name}`)
            }
      return { found, device: (standIn.handlers.devicePermission as () => boolean)(), spellChecker: standIn.handlers.spellChecker }
    })
    const page = 'app://outlay/review page'
    expect(granted.found.sort()).toEqual(
      ['ask', 'check'].flatMap((way) =>
        ['clipboard-sanitized-write', 'display-capture', 'media video'].map((name) => `${way} ${name} ${page}`),
      ),
    )
    expect([granted.device, granted.spellChecker]).toEqual([false, false])
  },
  'a picture of the screen is given to our own page after a key or a click, and to nothing else': async (desktop) => {
    // A real Electron does not give back the handlers of its session.
    if (isRealElectron) return
    const given = await desktop.evaluate(async ({ standIn }) => {
      const handler = standIn.handlers.displayMedia as (request: object, response: (streams: unknown) => void) => void
      const ask = (request: object) => new Promise((resolve) => handler(request, resolve))
      const ours = { url: 'app://outlay/quick-capture', parent: null }
      const wanted = { frame: ours, videoRequested: true, audioRequested: false, userGesture: true }
      return Promise.all([
        ask(wanted),
        ask({ ...wanted, userGesture: false }),
        ask({ ...wanted, audioRequested: true }),
        ask({ ...wanted, frame: null }),
        ask({ ...wanted, frame: { ...ours, parent: ours } }),
        ask({ ...wanted, frame: { url: 'https://example.org/', parent: null } }),
      ])
    })
    expect(given).toEqual([{ video: expect.objectContaining({ id: 'screen:1:0' }) }, null, null, null, null, null])
  },
  'each page goes out with a policy that runs no script but ours, and the scheme has no privilege it does not need': async (desktop) => {
    const page = await desktop.mainPage()
    const policy = await page.evaluate(async () =>
      (await fetch(location.href, { headers: { accept: 'text/html' } })).headers.get('content-security-policy'),
    )
    const rules = Object.fromEntries((policy ?? '').split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]))
    expect(rules).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'frame-src': "'none'",
      'object-src': "'none'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'default',
    })
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/)
    if (isRealElectron) return
    const schemes = await desktop.evaluate(({ standIn }) => standIn.calls.find(({ what }) => what === 'schemes')?.args[0])
    expect(schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
    ])
  },
  'a page that loads breaks none of its rules': async (desktop) => {
    const page = await desktop.mainPage()
    const broken: string[] = []
    page.on('console', (said) => {
      const [, rule] = /^broken: (.*)$/.exec(said.text()) ?? []
      if (rule !== undefined) broken.push(rule)
    })
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.log(`broken: ${violatedDirective} ${blockedURI}`),
      )
    })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
    // The same way reports one that is broken.
    await page.evaluate(() => {
      const image = new Image()
      image.src = 'https://elsewhere.example/'
    })
    await expect.poll(() => broken).toEqual(['img-src https://elsewhere.example/'])
  },
}

test('both windows are kept inside the program', async () => {
  const desktop = await (await makeComputer()).start({ env: wholeBrowser })
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  await page.evaluate(() => window.outlayDesktop?.call('quick_capture.open', {}))
  await desktop.pageAt('/quick-capture')
  for (const [name, look] of Object.entries(looks)) await test.step(name, () => look(desktop))
})

test('a bucket for uploads is one of servers: here the program takes files, and pages reach no address outside', async () => {
  const computer = await makeComputer()
  const bucket = {
    OUTLAY_UPLOAD_BUCKET_URL: 'https://s3.example.org/receipts',
    OUTLAY_UPLOAD_BUCKET_ACCESS_KEY_ID: 'id',
    OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY: 'secret',
  }
  await writeFile(join(computer.data, 'settings.json'), JSON.stringify(bucket))
  const page = await (await computer.start()).mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  const { credentials, policy } = await page.evaluate(async () => ({
    credentials: await (await fetch('/api/v1/uploads/new')).text(),
    policy: (await fetch(location.href, { headers: { accept: 'text/html' } })).headers.get('content-security-policy'),
  }))
  expect(JSON.parse(credentials)).toMatchObject({ host: expect.stringMatching(/\/uploads$/), acl: 'private' })
  expect(credentials + String(policy)).not.toContain('s3.example.org')
})

test('the packaged program has the same fuses as the source says, and takes nothing along that it does not need', async () => {
  const build = load(await readFile(join(root, 'electron-builder.yml'), 'utf8'))
  expect(build.electronFuses).toEqual(fuses)
  expect(build.asar).toBe(true)
  expect(build.files).toEqual([
    // What is packed for servers: the window reads the files themselves.
    ...['out/main/**', 'out/preload/**', 'out/renderer/**', '!out/renderer/**/*.br', 'package.json', '!**/*.map'],
    ...['!node_modules/node-*{,/**}', '!node_modules/better-sqlite3/{src,deps}{,/**}'],
    // What only the install script of the engine that reads receipts uses.
    '!node_modules/{adm-zip,global-agent}{,/**}',
    // Style sheets and weights of fonts that no exported PDF is drawn with, and what cuts fonts up.
    ...['!node_modules/@fontsource/*/{scss,*.css}{,/**}', '!node_modules/@fontsource/*/files/*-{100,200,300,500,600,700,800,900}-*'],
    ...['!node_modules/@fontsource/*/files/*-italic.*', '!node_modules/harfbuzzjs/dist/harfbuzz-subset.wasm'],
  ])
})
