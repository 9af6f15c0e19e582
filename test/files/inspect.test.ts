import { readFile, readdir } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ContentType } from '#shared/domain/content-types'
import type { Inspector } from '#main/files/inspect'
import { createInspector } from '#main/files/inspect'
import type { Inspection } from '#main/files/inspection'
import { pdf, picture, pngClaiming, put, tiff } from './samples'
import { folderOfFile } from '#test/support/of-file'

let inspector: Inspector
let count = 0

const folder = folderOfFile('outlay-inspect-')
beforeAll(async () => {
  inspector = createInspector()
})
afterAll(() => inspector.close())

async function inspect(content: Uint8Array | string, content_type: ContentType, by = inspector): Promise<Inspection> {
  return by.inspect({ path: await put(folder, `sample-${String((count += 1))}`, content), content_type })
}

const refusedAs = (reason: string): object => ({ kind: 'refused', reason })

describe('a whole file of the declared type is ok', () => {
  test.each(['image/jpeg', 'image/jpg'] as const)('%s', async (type) => {
    expect(await inspect(await picture(60, 40).jpeg().toBuffer(), type)).toMatchObject({ kind: 'ok', width: 60, height: 40, pages: 1 })
  })
  test('a photograph held sideways has its upright size', async () => {
    const sideways = await picture(60, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await inspect(sideways, 'image/jpeg')).toMatchObject({ width: 40, height: 60 })
  })
  test('PNG, GIF, TIFF', async () => {
    expect(await inspect(await picture(60, 40).png().toBuffer(), 'image/png')).toMatchObject({ kind: 'ok', width: 60 })
    expect(await inspect(await picture(60, 40).gif().toBuffer(), 'image/gif')).toMatchObject({ kind: 'ok', width: 60 })
    expect(await inspect(await picture(60, 40).tiff().toBuffer(), 'image/tiff')).toMatchObject({ kind: 'ok', width: 60 })
  })
  test('the pages of a PDF are counted', async () => {
    expect(await inspect(pdf({ pages: 3 }), 'application/pdf')).toEqual({ kind: 'ok', pages: 3 })
  })
  test.each([
    ['with a declaration', '<?xml version="1.0"?>\n<NFe><vNF>10.00</vNF></NFe>'],
    ['with white space before the root', '\n  <NFe/>'],
    ['with a byte order mark', '\ufeff<?xml version="1.0" encoding="UTF-8"?><NFe/>'],
    ['in UTF-16', Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><recibo>ação</recibo>', 'utf16le')],
    ['in Latin-1 as declared', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><recibo>ação</recibo>', 'latin1')],
    ['that is an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ])('XML %s', async (_, content) => {
    expect(await inspect(content, 'text/xml')).toEqual({ kind: 'ok' })
  })
})

/**
 * The processes that this file has started and that have not ended, with how far each steps back for others.
 * Tests of other files run in threads of the same process, so its own are known by the folder for temporary files that they are given.
 */
async function children(): Promise<Array<{ readonly pid: number; readonly nice: number }>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const of = async (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await of(pid, 'stat')
      // After the name in brackets the 2nd field is the parent, the 17th how nice it is.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(fields[1]) !== process.pid || fields[0] === 'Z') return []
      const isOwn = (await of(pid, 'environ')).split('\0').includes(`TMPDIR=${folder}`)
      return isOwn ? [{ pid: Number(pid), nice: Number(fields[16]) }] : []
    }),
  )
  return found.flat()
}

describe.runIf(process.platform === 'linux')('who looks inside', () => {
  beforeAll(() => void vi.stubEnv('TMPDIR', folder))
  afterAll(() => void vi.unstubAllEnvs())
  test('yields, and the responding process does not', async () => {
    const nice = getPriority(process.pid)
    const own = createInspector({ processes: 1 })
    const before = new Set((await children()).map(({ pid }) => pid))
    await inspect(pdf({ pages: 1 }), 'application/pdf', own)
    const started = (await children()).filter(({ pid }) => !before.has(pid))
    expect(started.map(({ nice }) => nice)).toEqual([10])
    expect(getPriority(process.pid)).toBe(nice)
    await own.close()
    const left = new Set((await children()).map(({ pid }) => pid))
    expect(started.filter(({ pid }) => left.has(pid))).toEqual([])
  })
  test('can be killed: that file is refused, and the next one is looked at', async () => {
    const own = createInspector({ processes: 1 })
    const before = new Set((await children()).map(({ pid }) => pid))
    const path = await put(folder, 'long.pdf', pdf({ content: '0 0 m 300 600 l 9 9 200 300 50 60 c S\n'.repeat(500_000) }))
    await inspect(pdf(), 'application/pdf', own)
    const running = own.thumbnail({ path, content_type: 'application/pdf', style: 'thumb' })
    for (const { pid } of (await children()).filter((child) => !before.has(child.pid))) process.kill(pid, 'SIGKILL')
    expect(await running).toBeUndefined()
    expect(await inspect(await picture(60, 40).png().toBuffer(), 'image/png', own)).toMatchObject({ kind: 'ok' })
    await own.close()
  })
})

test('a file that needs more memory than it may have is refused, each time', async () => {
  const poor = createInspector({ maxMemoryMb: 20 })
  for (let tries = 0; tries < 2; tries += 1)
    expect(await inspect(pdf({ pages: 3 }), 'application/pdf', poor)).toEqual(refusedAs('too_complex'))
  await poor.close()
})

describe('a file that is not what it is declared to be is refused', () => {
  test('a PDF named PNG', async () => {
    expect(await inspect(pdf(), 'image/png')).toEqual(refusedAs('type_mismatch'))
  })
  test.each(['<html><body/></html>', '<!DOCTYPE html>\n<p>', 'plain text', ''])('as XML: %j', async (content) => {
    expect(await inspect(content, 'application/xml')).toEqual(refusedAs('type_mismatch'))
  })
  test('a file of two kinds counts as the one it begins with', async () => {
    const polyglot = Buffer.concat([await picture(8, 8).png().toBuffer(), Buffer.from('\n'), pdf()])
    expect(await inspect(polyglot, 'image/png')).toMatchObject({ kind: 'ok' })
    expect(await inspect(polyglot, 'application/pdf')).toEqual(refusedAs('type_mismatch'))
    expect(await inspect(polyglot, 'text/xml')).toEqual(refusedAs('type_mismatch'))
  })
  test('a script behind the first letters of a GIF', async () => {
    expect(await inspect('GIF89a/*<script>alert(1)</script>*/=1', 'image/gif')).toMatchObject({ kind: 'refused' })
  })
})

describe('a bomb is refused', () => {
  test('by the size its header claims, undecoded', async () => {
    expect(await inspect(pngClaiming(50_000, 50_000), 'image/png')).toEqual(refusedAs('too_many_pixels'))
  })
  test('by the pixels of all frames together', async () => {
    const strict = createInspector({ maxPixels: 1000 })
    const sheet = await picture(20, 60).raw().toBuffer()
    const frames = await sharp(sheet, { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } })
      .gif()
      .toBuffer()
    expect(await inspect(frames, 'image/gif', strict)).toEqual(refusedAs('too_many_pixels'))
    expect(await inspect(tiff(3, 20), 'image/tiff', strict)).toEqual(refusedAs('too_many_pixels'))
    await strict.close()
  })
  test.each([
    ['elements', `<a>${'<b c="1">x</b>'.repeat(1_700_000)}</a>`],
    ['one text', `<a>${'x'.repeat(25_000_000)}</a>`],
  ])('never by an XML of 25 MB of %s, which is read in parts', async (_, content) => {
    const poor = createInspector({ maxMemoryMb: 300, timeoutMs: 60_000 })
    expect(await inspect(content, 'text/xml', poor)).toEqual({ kind: 'ok' })
    await poor.close()
  })
  test('by the attributes of one element of an XML', async () => {
    const attributes = Array.from({ length: 1_001 }, (_, at) => `a${String(at)}="1"`).join(' ')
    expect(await inspect(`<a ${attributes}/>`, 'text/xml')).toEqual(refusedAs('malformed'))
  })
  test('by the pages of a TIFF', async () => {
    expect(await inspect(tiff(201), 'image/tiff')).toEqual(refusedAs('too_many_pages'))
  })
  test('by the pages of a PDF', async () => {
    expect(await inspect(pdf({ pages: 501 }), 'application/pdf')).toEqual(refusedAs('too_many_pages'))
  })
  test('by its document type: a billion laughs', async () => {
    const laughs = '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><lolz>&b;</lolz>'
    expect(await inspect(laughs, 'text/xml')).toEqual(refusedAs('doctype'))
  })
  test('by its depth', async () => {
    expect(await inspect('<a>'.repeat(100) + '</a>'.repeat(100), 'text/xml')).toEqual({ kind: 'ok' })
    expect(await inspect('<a>'.repeat(101) + '</a>'.repeat(101), 'text/xml')).toEqual(refusedAs('malformed'))
  })
})

describe('a broken file is malformed', () => {
  test('a photograph cut short', async () => {
    const whole = await picture(800, 600).jpeg().toBuffer()
    expect(await inspect(whole.subarray(0, whole.length / 2), 'image/jpeg')).toEqual(refusedAs('malformed'))
  })
  test('a PNG whose pixels are missing', async () => {
    expect(await inspect(pngClaiming(100, 100), 'image/png')).toEqual(refusedAs('malformed'))
  })
  test('a PDF of nothing but its first line', async () => {
    expect(await inspect('%PDF-1.7\n', 'application/pdf')).toEqual(refusedAs('malformed'))
  })
  test('a PDF that asks for a password', async () => {
    const key = '0'.repeat(64)
    const trailer = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >> /ID [<00> <00>] `
    expect(await inspect(pdf({ trailer }), 'application/pdf')).toEqual(refusedAs('malformed'))
  })
  test.each(['<a><b></a>', '<a/><b/>', '<a>&undefined;</a>', '<a b=1/>', Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e])])(
    'XML: %s',
    async (content) => {
      expect(await inspect(content, 'text/xml')).toEqual(refusedAs('malformed'))
    },
  )
})

test('a file that takes too long is given up, and the next one is looked at', async () => {
  const impatient = createInspector({ timeoutMs: 2500 })
  const path = await put(folder, 'endless.pdf', pdf({ content: '0 0 m 300 600 l 9 9 200 300 50 60 c S\n'.repeat(2_000_000) }))
  expect(await impatient.thumbnail({ path, content_type: 'application/pdf', style: 'thumb' })).toBeUndefined()
  // On a busy machine the thread that comes after the one given up may take longer than so impatient a one waits.
  const next = await picture(60, 40).png().toBuffer()
  await vi.waitFor(async () => expect(await inspect(next, 'image/png', impatient)).toMatchObject({ kind: 'ok' }), 60_000)
  await impatient.close()
})

test('an inspection that runs out of time is refused', async () => {
  const hasty = createInspector({ timeoutMs: 1 })
  const long = `<a>${'<b/>'.repeat(1_000_000)}</a>`
  expect(await inspect(long, 'text/xml')).toMatchObject({ kind: 'ok' })
  expect(await inspect(long, 'text/xml', hasty)).toEqual(refusedAs('timed_out'))
  await hasty.close()
})

test('files that come at once are all looked at', async () => {
  const png = await picture(60, 40).png().toBuffer()
  const found = await Promise.all(Array.from({ length: 10 }, async () => inspect(png, 'image/png')))
  expect(found.every(({ kind }) => kind === 'ok')).toBe(true)
})

test('a file that is not there is an error, not a refusal', async () => {
  await expect(inspector.inspect({ path: join(folder, 'nowhere'), content_type: 'image/png' })).rejects.toThrow('ENOENT')
})
