import { afterAll, expect, test } from 'vitest'
import { makeBuiltFolder, serveFolder } from '#test/support/built-program'
import { newCard } from '#test/support/cards'
import { ofxOf } from '#test/support/statements/upload'

const folder = await makeBuiltFolder()
const served = await serveFolder(folder)
const { body } = await served.api.send<{ id: number }>('POST', '/corporative_cards', newCard(folder))
const card_id: number = body.id
afterAll(async () => {
  await served.stop()
  await folder.remove()
})

const coffee = { day: '2026-03-04', amount: '-5.00', name: 'COFFEE' }
const ofxOfEqual = (count: number) => ofxOf(Array.from({ length: count }, () => coffee))

/** Sends a file as its bytes. */
async function send(
  path: string,
  body: string,
): Promise<{ status: number; body: { rows?: number; id?: string; errors?: { message: string } } }> {
  const response = await fetch(`${served.url}/api/v1/organizations/${folder.organization_id}/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${folder.token}:`).toString('base64')}`,
      ...{ 'content-type': 'application/octet-stream', 'user-agent': 'tests' },
    },
    body,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}
const preview = (text: string) => send(`statements/preview?corporative_card_id=${card_id}`, text)

/** How many requests are answered, one after the other, until something is over. */
async function answeredUntil(over: Promise<unknown>): Promise<number> {
  let isOver = false
  void over.then(() => (isOver = true))
  let answered = 0
  while (!isOver) {
    const { status } = await served.api.get('/expenses')
    if (status === 200 && !isOver) answered += 1
  }
  return answered
}

test('requests are answered while a statement of equal lines is read', async () => {
  const read = preview(ofxOfEqual(20_000))
  const answered = await answeredUntil(read)
  expect(await read).toMatchObject({ status: 200, body: { rows: 20_000 } })
  // On the thread that answers, reading would let one or two in between.
  expect(answered).toBeGreaterThan(5)
})

test('a statement with more lines than can be compared is refused with what to do', async () => {
  expect(await preview(ofxOfEqual(50_001))).toMatchObject({
    status: 422,
    body: { errors: { message: 'This statement cannot be read: it has more than 50000 lines. Split it, and import the parts.' } },
  })
})

test('a table of a hundred thousand columns is refused, and the one behind it is read', async () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join()
  const wide = await send('imports', `Name,Date,Amount,${names}\n`)
  const next = await send('imports', 'Name,Date,Amount\nAda,2026-03-04,5.00\n')
  const stateOf = async ({ body: { id } }: typeof wide) => {
    const { body } = await served.api.get<{ state: string; message: string | null }>(
      `/organizations/${folder.organization_id}/imports/${id}`,
    )
    return body
  }
  await expect.poll(async () => (await stateOf(next)).state).toBe('ready')
  expect(await stateOf(wide)).toMatchObject({
    state: 'unreadable',
    message: expect.stringMatching(/has 100,?003 columns, and up to 1,?000 can be read/),
  })
})

test('a server ends while a statement is read, and says so to who sent it', async () => {
  const read = preview(ofxOfEqual(50_000))
  await served.api.get('/expenses')
  const { code } = await served.stop()
  expect(code).toBe(0)
  expect(await read).toMatchObject({ status: 503, body: { errors: { message: expect.stringContaining('The server is stopping') } } })
})
