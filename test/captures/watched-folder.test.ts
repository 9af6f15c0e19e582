import { appendFile, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediately, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FolderOptions, capturedFolder, watchFolder } from '#main/desktop/watched-folder'
import { pdf } from '#test/files/samples'
import { listProcessed, sendCapture } from '#test/support/captures'
import { startInstance } from '#test/support/instance'

const lookMs = 30
let root: string
let folder: string
let told: string[]
let watching: Array<{ close(): Promise<void> }>
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'outlay-watched-'))
  folder = join(root, 'Receipts')
  await mkdir(folder)
  told = []
  watching = []
})
afterEach(async () => {
  vi.useRealTimers()
  for (const one of watching) await one.close()
  await rm(root, { recursive: true, force: true })
})

/** Watches the folder, noting in words what is handed in and told. */
function start(handIn: FolderOptions['handIn'] = () => Promise.resolve({ kind: 'stored' })) {
  const watched = watchFolder({
    folder,
    lookMs,
    handIn: async (file) => {
      told.push(`${file.file_name} of ${file.bytes} bytes`)
      return handIn(file)
    },
    onStored: ({ file_name }) => told.push(`${file_name} stored`),
    onRefused: ({ file_name }, message) => told.push(`${file_name} refused: ${message}`),
    onProblem: (problem) => told.push(`problem: ${problem}`),
  })
  watching.push(watched)
  return watched
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(5)
}
const untilNotified = (text: string) => until(() => told.includes(text))
/** Long enough for several looks: what has not happened by then does not. */
const rest = () => sleep(10 * lookMs)
const namesIn = async (...path: string[]) => (await readdir(join(folder, ...path))).sort()

test('a file is handed in once it stopped growing, and moved aside only then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const look = async () => {
    await vi.advanceTimersToNextTimerAsync()
    // The next look is scheduled when this one has ended.
    while (vi.getTimerCount() === 0) await immediately()
  }
  start()
  const path = join(folder, 'taxi.pdf')
  for (let part = 0; part < 8; part += 1) {
    await appendFile(path, 'x'.repeat(100))
    await look()
  }
  expect(told).toEqual([])
  await look()
  expect(told).toEqual(['taxi.pdf of 800 bytes', 'taxi.pdf stored'])
  expect(await namesIn()).toEqual([capturedFolder])
  expect(await namesIn(capturedFolder)).toEqual(['taxi.pdf'])
})

test('what is hidden, not finished or empty is left alone, and so are folders', async () => {
  const names = ['.hidden.pdf', '~$note.pdf', 'a.pdf.part', 'b.pdf.crdownload', 'c.tmp', 'd.pdf~', '.DS_Store']
  for (const name of names) await writeFile(join(folder, name), 'x')
  await writeFile(join(folder, 'empty.pdf'), '')
  await mkdir(join(folder, 'trip'))
  await writeFile(join(folder, 'trip', 'inside.pdf'), 'x')
  start()
  await rest()
  expect(told).toEqual([])
  await rename(join(folder, 'b.pdf.crdownload'), join(folder, 'b.pdf'))
  await untilNotified('b.pdf stored')
})

test('a name that is taken there is changed, and nothing is written over', async () => {
  start()
  for (const content of ['one', 'two', 'three']) {
    told = []
    await writeFile(join(folder, 'Taxi.pdf'), content)
    await untilNotified('Taxi.pdf stored')
  }
  expect(await namesIn(capturedFolder)).toEqual(['Taxi (2).pdf', 'Taxi (3).pdf', 'Taxi.pdf'])
  expect(await readFile(join(folder, capturedFolder, 'Taxi (2).pdf'), 'utf8')).toBe('two')
})

test('a rejected file stays, and is handed in again only when it is written again', async () => {
  let isRefusing = true
  start(() => Promise.resolve(isRefusing ? { kind: 'refused', message: 'no receipt' } : { kind: 'stored' }))
  await writeFile(join(folder, 'song.mp3'), 'la')
  await untilNotified('song.mp3 refused: no receipt')
  await rest()
  expect(told).toEqual(['song.mp3 of 2 bytes', 'song.mp3 refused: no receipt'])
  isRefusing = false
  await appendFile(join(folder, 'song.mp3'), 'la')
  await untilNotified('song.mp3 stored')
})

test('what could not be stored this time is tried again', async () => {
  let tries = 0
  start(() => {
    tries += 1
    return tries < 3 ? Promise.reject(new Error('The disk is full.')) : Promise.resolve({ kind: 'stored' })
  })
  await writeFile(join(folder, 'taxi.pdf'), 'x')
  await untilNotified('taxi.pdf stored')
  expect(tries).toBe(3)
})

test('a stored file that cannot be moved is reported, stays, and is not handed in again', async () => {
  await writeFile(join(folder, capturedFolder), 'a file in the place of the folder')
  start(({ file_name }) => Promise.resolve(file_name === capturedFolder ? { kind: 'refused', message: 'no' } : { kind: 'stored' }))
  await writeFile(join(folder, 'taxi.pdf'), 'x')
  await untilNotified('problem: not_movable')
  await rest()
  expect(told.filter((one) => one === 'taxi.pdf of 1 bytes')).toHaveLength(1)
  await rm(join(folder, capturedFolder))
  await untilNotified('taxi.pdf stored')
  await untilNotified('problem: null')
})

test('a folder that vanishes is reported, and watched again when it is back', async () => {
  start()
  await rest()
  await rename(folder, join(root, 'elsewhere'))
  await untilNotified('problem: missing')
  await mkdir(folder)
  await writeFile(join(folder, 'taxi.pdf'), 'x')
  await untilNotified('taxi.pdf stored')
  expect(told[0]).toBe('problem: missing')
  expect(told).toContain('problem: null')
})

test('a program that ended between storing and moving makes no second capture', async () => {
  const instance = await startInstance()
  try {
    const sender = { token: instance.member.token, url: instance.url }
    const handIn: FolderOptions['handIn'] = async ({ path, file_name }) => {
      const { status } = await sendCapture(sender, { bytes: await readFile(path), name: file_name, query: { source: 'folder' } })
      return status < 300 ? { kind: 'stored' } : { kind: 'refused', message: String(status) }
    }
    await writeFile(join(folder, 'taxi.pdf'), pdf({ height: 40 }))
    const ended = start(async (file) => {
      await handIn(file)
      throw new Error('Here the program ends.')
    })
    await untilNotified(`taxi.pdf of ${pdf({ height: 40 }).length} bytes`)
    await ended.close()
    expect(await namesIn()).toEqual(['taxi.pdf'])
    start(handIn)
    await untilNotified('taxi.pdf stored')
    expect(await listProcessed(instance.member)).toMatchObject([{ source: 'folder', file_name: 'taxi.pdf', repeat_of: null }])
  } finally {
    await instance.remove()
  }
})
