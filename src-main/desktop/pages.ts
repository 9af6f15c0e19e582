import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { toPageHeaders } from '#main/http/server/page-headers'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.webmanifest': 'application/manifest+json',
}

/** Serves the requests for pages and their files; undefined for all others. */
export type Pages = (request: Request) => Promise<Response | undefined>

/**
 * The pages of a built interface. Its files were listed at build time: a request selects an entry of the list, and its path never reaches the disk.
 * Every other page address gets the one page, which knows its screens.
 */
export function createPages(folder: string): Pages {
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [`/${relative(folder, path).split(sep).join('/')}`, path]),
  )
  const page = join(folder, 'index.html')
  return async (request) => {
    if (request.method !== 'GET') return undefined
    const { pathname } = new URL(request.url)
    const wantsPage = (request.headers.get('accept') ?? '').includes('text/html')
    const path = files.get(pathname) ?? (wantsPage ? page : undefined)
    // File names there contain their hash.
    const isLasting = pathname.startsWith('/assets/')
    return path === undefined ? undefined : fileResponse(path, { isPage: path === page, isLasting })
  }
}

async function fileResponse(path: string, { isPage, isLasting }: { isPage: boolean; isLasting: boolean }): Promise<Response> {
  const content_type = contentTypes[extname(path)] ?? 'application/octet-stream'
  const cache_control = isLasting ? 'max-age=31536000, immutable' : 'no-cache'
  const headers = { 'content-type': content_type, 'x-content-type-options': 'nosniff', 'cache-control': cache_control }
  return new Response(new Uint8Array(await readFile(path)), { headers: isPage ? { ...headers, ...toPageHeaders() } : headers })
}
