import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type DesktopStart, measureDesktopStart } from './desktop-start'
import { type Typing, type TypingFigures, measureTyping } from './desktop-typing'
import { seed } from './seed'

/** What the bench says of the desktop. Of starts: the first ever on a computer, and the medians of the others. */
export interface DesktopFigures {
  readonly expenses: number
  readonly first: DesktopStart
  readonly starts: readonly DesktopStart[]
  /** The same window with nothing around or in it, in turns with the starts. */
  readonly bare: readonly DesktopStart[]
  readonly files: number
  readonly typing: TypingFigures
}

/** Measures starts and typing on the built program. */
export async function measureDesktop(
  folder: string,
  { expenses, rounds, files }: { expenses: number; rounds: number; files: number },
): Promise<DesktopFigures> {
  const { folder: data } = await seed(join(folder, 'data'), expenses)
  const program = { main: 'program', shell: join(folder, 'shell'), data } as const
  const floor = { main: 'floor', shell: join(folder, 'bare'), data } as const
  const first = await measureDesktopStart(program)
  await measureDesktopStart(floor)
  const starts: DesktopStart[] = []
  const bare: DesktopStart[] = []
  // Chromium keeps what it compiled of a script with the second visit: the next start is the first as they all are from then on.
  await measureDesktopStart(program)
  for (let round = 0; round < rounds; round += 1) {
    starts.push(await measureDesktopStart(program))
    bare.push(await measureDesktopStart(floor))
  }
  const empty = join(folder, 'empty')
  const init = ['init', '--data', empty, '--organization', 'Acme', '--name', 'Ada', '--email', 'ada@example.org']
  execFileSync(process.execPath, [join(import.meta.dirname, '../main/cli.js'), ...init])
  const typing = await measureTyping({ ...program, data: empty }, files)
  return { expenses, first, starts, bare, files, typing }
}

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Prints what was measured of the desktop. */
export function printDesktop({ expenses, first, starts, bare, files, typing }: DesktopFigures, say: (text: string) => void): void {
  const row = (name: string, ...values: readonly number[]) =>
    say(name.padEnd(34) + values.map((value) => `${value.toFixed(0)} ms`.padStart(14)).join(''))
  const head = (...names: readonly string[]) => say(`\n${' '.repeat(34)}${names.map((name) => name.padStart(14)).join('')}`)
  head('navigation', 'rows shown', 'key answered')
  const ofStarts = (name: string, list: readonly DesktopStart[], pick: (values: readonly number[]) => number) =>
    row(name, ...(['navigation', 'rows', 'key'] as const).map((moment) => pick(list.map((start) => start[moment]))))
  ofStarts(`start, ${expenses} expenses`, starts, medianOf)
  ofStarts('the slowest of them', starts, (values) => Math.max(...values))
  ofStarts('the first ever', [first], medianOf)
  ofStarts('a window with nothing in it', bare, medianOf)
  head('median', 'p95', 'slowest')
  const ofKeys = (name: string, { median, p95, slowest }: Typing) => row(name, median, p95, slowest)
  ofKeys('a key, nothing else to do', typing.alone)
  ofKeys(`a key while ${files} files come in`, typing.meanwhile)
  say('')
  row('all of them listed as saved', typing.listed)
  row('first previews', typing.pictured)
}
