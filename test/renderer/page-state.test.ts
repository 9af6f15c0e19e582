import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { expenseKeys } from '../../src-renderer/api/expenses'
import { beginWrite, isOwnNews, ownWritesDone } from '../../src-renderer/api/own-writes'
import { resetPage } from '../../src-renderer/api/page/page-state'
import { sessionQuery } from '../../src-renderer/api/session'
import { RecordWrites } from '../../src-renderer/api/record-writes'
import { useSelection } from '../../src-renderer/state/selection'
import { addAct, hasAct } from '../../src-renderer/state/undo-stack'

afterEach(() => vi.unstubAllGlobals())

const root = join(import.meta.dirname, '../../src-renderer')

/** State of a module that says nothing of a person: caches of what is the same for everyone, and what its screen itself takes away. */
const ofNobody: Readonly<Record<string, string>> = {
  'ui/values/format.ts': 'formats',
  'ui/values/format-bytes.ts': 'formats',
  'state/date-input.ts': 'formats',
  'api/field-errors.ts': 'patterns of texts',
  'api/page/page-state.ts': 'what empties the rest',
  'api/early/early.ts': 'emptied by the client',
  'i18n.ts': 'the language',
  'api/client.ts': 'the language, and listeners, which stop themselves',
  'state/refresh-shown.ts': 'listeners, which stop themselves',
  'state/draft-db.ts': 'the connection to the disk of this device',
  'state/notices.ts': 'its store, and a number that only grows',
  'state/preferences.ts': 'what the device remembers',
  'ui/keys/shortcut-registry.ts': 'of what is on the screen',
  'ui/keys/shortcuts.ts': 'a number that only grows',
  'ui/shell/command-box.tsx': 'emptied as it opens, closed with its screen',
  'features/capture/use-camera.ts': 'the name of the last picture',
}

test('every module of the page that keeps state has it emptied with the page, or keeps nothing of a person', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const keeping = files.filter((name) =>
    /^(export )?(let |const \w+(: (?!Readonly)[^=]+)? = (new (Map|Set|RecordWrites)\b(<.*>)?\(\)|create[<(]))/m.test(
      readFileSync(join(root, name), 'utf8'),
    ),
  )
  const isEmptied = (name: string) => /onReset\(|createPageStore|new RecordWrites/.test(readFileSync(join(root, name), 'utf8'))
  expect(keeping.filter((name) => !isEmptied(name) && !(name in ofNobody)).toSorted()).toEqual([])
  expect(Object.keys(ofNobody).filter((name) => !files.includes(name))).toEqual([])
})

/** Answers who is signed in. */
function answerAs(uid: string): void {
  const name = { first_name: 'Ana', last_name: 'Souza', mention_name: 'ana', emails: [], avatar: [], default_avatar: true }
  const user = { id: 1, uid, ...name, locale: 'en', timezone: 'UTC', default_currency: 'BRL' }
  const session = { user, memberships: [], way: 'session', feed_place: '1', upload_max_bytes: 1 }
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(session), { status: 200 })))
}

test('nothing that the page knows of one person is left when another is signed in', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  answerAs('ana')
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
  client.setQueryData(expenseKeys.all, ['secret'])
  addAct({ area: 'expenses', label: 'Approved', at: '2026-03-02T10:00:00Z', undo: () => Promise.resolve() })
  useSelection.getState().focus('an-expense')
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
  expect([client.getQueryData(expenseKeys.all), hasAct('done', 'expenses')]).toEqual([['secret'], true])

  answerAs('bruno')
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
  expect(client.getQueryData(expenseKeys.all)).toBeUndefined()
  expect(hasAct('done', 'expenses')).toBe(false)
  expect(useSelection.getState().focusedUid).toBeNull()
})

test('a write that ends after the page was emptied changes nothing of what came later', async () => {
  const endOld = beginWrite({ isLong: false })
  resetPage()
  await ownWritesDone()
  const endNew = beginWrite({ isLong: false })
  endOld(null)
  const order: string[] = []
  const done = ownWritesDone().then(() => order.push('done'))
  await Promise.resolve().then(() => order.push('still running'))
  endNew({ uid: 'a', version: 2 })
  await done
  expect(order).toEqual(['still running', 'done'])
  expect(isOwnNews({ uid: 'a', version: 2, is_pulled: false })).toBe(true)
  expect(isOwnNews({ uid: 'a', version: 2, is_pulled: true })).toBe(false)
  resetPage()
  expect(isOwnNews({ uid: 'a', version: 1, is_pulled: false })).toBe(false)
})

test('a queue of writes that was emptied waits for none of before, and knows none of its versions', async () => {
  const queue = new RecordWrites<{ uid: string; version: number }>()
  await queue.write({ uid: 'a', version: 1 }, () => Promise.resolve({ uid: 'a', version: 2 }))
  let end: (record: { uid: string; version: number }) => void = () => undefined
  void queue.write({ uid: 'a', version: 1 }, () => new Promise((resolve) => (end = resolve)))
  resetPage()
  const seen = { uid: 'a', version: 1 }
  expect(queue.latest(seen)).toBe(seen)
  await queue.write(seen, (now) => Promise.resolve({ ...now, version: now.version + 1 }))
  expect(queue.latest(seen).version).toBe(2)
  await vi.waitFor(() => expect(queue.waiting('a')).toBe(0))
  end({ uid: 'a', version: 9 })
})
