import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngFile } from '#test/support/sample-files'
import { type BuiltFolder, makeBuiltFolder, serveMeanwhile } from '#test/support/built-program'
import type { Json } from '#test/support/instance'
import { folderOfFile } from '#test/support/of-file'

/** An example of the page: what is typed, and what it answers, shortened. */
interface Example {
  readonly commands: string
  readonly answer: Json
}

/** The shell blocks of the page, each with the JSON block that follows it; what sets the reader up is not run. */
function readExamples(page: string): Example[] {
  const blocks = [...page.matchAll(/^```(\S+)(?: (\w+))?\n([\s\S]*?)^```$/gm)].map(([, kind, note, text = '']) => ({ kind, note, text }))
  return blocks.flatMap(({ kind, note, text }, index) => {
    if (kind !== 'sh' || note === 'setup') return []
    const next = blocks[index + 1]
    if (next?.kind !== 'json') throw new Error(`An example does not show what it answers:\n${text}`)
    return [{ commands: text, answer: JSON.parse(next.text) }]
  })
}

const between = '\n@@ next @@\n'
let made: BuiltFolder
let served: Awaited<ReturnType<typeof serveMeanwhile>>
let examples: Example[]
let responses: string[]
const folder = folderOfFile('outlay-examples-')
beforeAll(async () => {
  made = await makeBuiltFolder()
  served = await serveMeanwhile(made)
  await writeFile(join(folder, 'receipt.png'), (await pngFile()).bytes)
  examples = readExamples(await readFile(join(import.meta.dirname, '../../docs/api.md'), 'utf8'))
  const script = examples.map(({ commands }) => `${commands}\nprintf '%s' '${between}'`).join('\n')
  const [BEA, CID] = [await addMember('Bea Braga', 'bea@example.org'), await addMember('Cid Castro', 'cid@example.org')]
  const env = { PATH: process.env.PATH, API: `${served.url}/api/v1`, TOKEN: made.token, BEA, CID }
  const shell = spawn('bash', ['-c', script], { cwd: folder, env })
  let output = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(shell, 'close')
  responses = output.split(between)
})
afterAll(async () => {
  await served.stop()
  await made.remove()
})

async function addMember(name: string, email: string): Promise<string> {
  const { result } = await made.run('user', 'add', '--organization', '1', '--name', name, '--email', email)
  return result.token
}

test('the page has examples of every part of the API', () => {
  expect(examples.length).toBeGreaterThan(25)
})

test('every example returns what the page shows', () => {
  const shown = examples.map(({ commands, answer: response }) => ({ commands, answer: response }))
  const got = examples.map(({ commands }, index) => ({ commands, answer: toJson(responses[index]) }))
  expect(got).toMatchObject(shown)
})

function toJson(text = ''): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
