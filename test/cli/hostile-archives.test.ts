import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDemo, makeTemporaryFolder, runProgram } from '#test/support/built-program'

let scratch: string
let folder: string
let backup: Buffer
beforeAll(async () => {
  scratch = await makeTemporaryFolder()
  folder = join(scratch, 'data')
  await makeDemo(folder)
  const file = join(scratch, 'good.tar')
  await runProgram('backup', file, '--data', folder)
  backup = readFileSync(file)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Entry {
  readonly name: string
  readonly type?: string
  readonly link?: string
  readonly prefix?: string
  readonly size?: string
}

/** An entry of a tar archive with any header that a program could write. */
function entry({ name, type = '0', link = '', prefix = '', size }: Entry): Buffer {
  const content = Buffer.from(type === '0' ? 'planted' : '')
  const header = Buffer.alloc(512)
  const put = (at: number, text: string) => header.write(text, at, 'latin1')
  put(0, name)
  put(100, '0000777')
  put(124, size ?? content.length.toString(8).padStart(11, '0'))
  put(148, ' '.repeat(8))
  put(156, type)
  put(157, link)
  put(257, 'ustar')
  put(263, '00')
  put(345, prefix)
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `)
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512)
  return Buffer.concat([header, content, padding])
}

/** All that lies below a folder: every name, mode and content; what comes and goes with an open database is left out. */
function describeTree(root: string): string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  return names
    .filter((name) => !/\.lock$|-shm$|-wal$|\.tar$/.test(name))
    .map((name) => {
      const path = join(root, name)
      const found = lstatSync(path)
      const content = found.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
      return `${name} ${found.mode.toString(8)} ${found.isSymbolicLink() ? readlinkSync(path) : content}`
    })
}

const sha256 = 'ab'.repeat(32)
const entries: ReadonlyArray<readonly [what: string, Entry]> = [
  ['a name above the folder', { name: '../planted' }],
  ['a name above the folder in its middle', { name: 'blobs/../../planted' }],
  ['a name that stays inside by going back', { name: 'blobs/../outlay.db' }],
  ['an absolute name', { name: '/tmp/planted' }],
  ['the name of a Windows drive', { name: 'C:/planted' }],
  ['a name with backslashes', { name: '..\\planted' }],
  ['a file that no backup has', { name: 'planted.txt' }],
  ['a hidden file', { name: '.planted' }],
  ['the plan of another restore', { name: 'restore.json' }],
  ['the log of the database', { name: 'outlay.db-wal' }],
  ['a second database', { name: 'outlay.db' }],
  ['another spelling of the database', { name: './outlay.db' }],
  ['an uploaded file under the wrong folder', { name: `blobs/cd/ab/${sha256}` }],
  ['an uploaded file that is no hash', { name: 'blobs/ab/ab/planted' }],
  ['a folder', { name: 'blobs', type: '5' }],
  ['a symbolic link to a folder', { name: 'blobs', type: '2', link: '/tmp' }],
  ['a symbolic link in the place of the settings', { name: 'settings.json', type: '2', link: '/etc/passwd' }],
  ['a hard link', { name: 'settings.json', type: '1', link: '../good.tar' }],
  ['a device', { name: 'settings.json', type: '3' }],
  ['a named pipe', { name: 'settings.json', type: '6' }],
  ['a long name of another program', { name: '././@LongLink', type: 'L' }],
  ['attributes of another program', { name: 'PaxHeaders/outlay.db', type: 'x' }],
  ['a second part of a name', { name: 'settings.json', prefix: '../../planted' }],
  ['a size below nothing', { name: 'settings.json', size: '-0000001000' }],
  ['a size beyond the archive', { name: 'settings.json', size: '77777777777' }],
]

test.each(entries)('a backup with %s is refused, and nothing is changed', async (_, planted) => {
  const before = describeTree(scratch)
  for (const [at, content] of [
    ['first', [entry(planted), backup]],
    ['last', [backup.subarray(0, -1024), entry(planted), Buffer.alloc(1024)]],
  ] as const) {
    const file = join(scratch, `${at}.tar`)
    writeFileSync(file, Buffer.concat(content))
    const run = await runProgram('restore', file, '--data', folder)
    expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be restored, and nothing was changed') })
    expect(run.stderr.trim().split('\n')).toHaveLength(1)
  }
  expect(describeTree(scratch)).toEqual(before)
  expect(existsSync('/tmp/planted')).toBe(false)
})

test('the same backup without any of these is restored', async () => {
  const run = await runProgram('restore', join(scratch, 'good.tar'), '--data', join(scratch, 'other'))
  expect(run).toMatchObject({ code: 0, result: { ok: true, problems: [] } })
})
