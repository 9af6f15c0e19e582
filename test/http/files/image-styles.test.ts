import { expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { signPath } from '#main/files/signed-url'
import { readOrMakeSigningSecret } from '#main/store/core/instance-settings'
import { recordExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { jpgFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

const instance = await instanceOfFile()

const four = ['original', 'medium', 'thumb', 'tiny']

/** Every list of image entries in an answer, by where it is. */
function imagesIn(value: Json, at = ''): [string, string[]][] {
  if (Array.isArray(value) && value.some((entry: Json) => typeof entry?.style === 'string'))
    return [[at, value.map(({ style }: Json) => style)]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => imagesIn(part, Array.isArray(value) ? at : `${at}.${name}`))
}

async function attachPicture(): Promise<Json> {
  const { member, manager, admin, organization_id } = instance
  await member.api.send('PATCH', '/preferences', { avatar: { file: await uploadFile(member, await jpgFile()) } })
  await admin.api.send('PATCH', `/organizations/${organization_id}`, { logo: { file: await uploadFile(admin, await jpgFile()) } })
  const expense = await recordExpense(instance, member)
  const file = await uploadFile(member, await jpgFile())
  await member.api.send('POST', `/expenses/${expense.id}/attachments`, { file })
  return (await manager.api.get(`/expenses/${expense.id}`)).body
}

test('every image of every answer has exactly the four styles of the contract, and the interface has its own size elsewhere', async () => {
  const expense = await attachPicture()
  const { manager, organization_id } = instance
  const paths = ['/expenses', '/session', '/preferences', '/organizations', `/organizations/${organization_id}/memberships`]
  const answers = await Promise.all(paths.map(async (path) => (await manager.api.get(path)).body))
  const found = [expense, ...answers].flatMap((answer) => imagesIn(answer))
  const places = found.map(([place]) => place)
  for (const part of ['.attachments.file', '.receiver.avatar', '.payer.logo']) expect(places).toContain(part)
  for (const [place, styles] of found) expect(styles, place).toEqual(four)
  const [{ file, preview_url }] = expense.attachments
  expect(file.map(({ url }: Json) => url)).not.toContain(preview_url)
  expect((await fetch(preview_url)).status).toBe(200)
})

test('an address with any other style is refused: by its signature, and by its name where it is signed', async () => {
  const expense = await attachPicture()
  const [original] = expense.attachments[0].file
  const url = new URL(original.url)
  const secret = await readOrMakeSigningSecret(instance.app.store, systemClock)
  const expires = new Date(Number(url.searchParams.get('expires')) * 1000)
  const statusOf = async (style: string, isSigned: boolean) => {
    const path = url.pathname.replace('/original/', `/${style}/`)
    const address = isSigned ? `${url.origin}${signPath({ secret, path, expires })}` : `${url.origin}${path}${url.search}`
    const response = await fetch(address)
    await response.arrayBuffer()
    return response.status
  }
  expect(await statusOf('tiny', true)).toBe(200)
  for (const style of ['large', 'small', 'square', 'Original', 'thumbnail', 'constructor', 'medium2', 'x'])
    expect([style, await statusOf(style, false), await statusOf(style, true)]).toEqual([style, 403, 404])
  // The interface's size is signed apart: no image entry leads to it.
  expect(await statusOf('preview', false)).toBe(403)
})
