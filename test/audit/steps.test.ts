import { expect, onTestFinished, test } from 'vitest'
import { startSealed, verified } from '#test/support/audit'
import { withoutGuards } from '#test/support/databases/without-guards'
import type { Instance, Json } from '#test/support/instance'

async function sealed(rounds: number): Promise<Instance> {
  const instance = await startSealed(rounds)
  onTestFinished(() => instance.remove())
  return instance
}

const pathOf = ({ organization_id }: Instance) => `/organizations/${organization_id}/audit/verification`

async function inSteps(instance: Instance): Promise<Json[]> {
  const steps: Json[] = []
  for (let after: string | null = 'start'; after !== null; after = steps.at(-1).next) {
    const { status, body } = await instance.admin.api.get(`${pathOf(instance)}?step=${encodeURIComponent(after)}`)
    expect([after, status, body]).toEqual([after, 200, body])
    steps.push(body)
  }
  return steps
}

const sumOf = (steps: readonly Json[], name: string): number => steps.reduce((sum, step) => sum + step[name], 0)

test('steps verify what a whole verification does, and say how much of all they did', async () => {
  const instance = await sealed(4)
  const { body: whole } = await instance.admin.api.get(pathOf(instance))
  const steps = await inSteps(instance)
  expect(steps.length).toBeGreaterThan(2)
  for (const name of ['seals', 'entries', 'files', 'erased', 'checked']) expect([name, sumOf(steps, name)]).toEqual([name, whole[name]])
  expect(whole).toMatchObject({ ok: true, next: null, checked: steps[0].total })
  for (const after of ['', 'seals:x', 'records:1', 'seals:1:2', 'end'])
    expect([after, (await instance.admin.api.get(`${pathOf(instance)}?step=${after}`)).status]).toEqual([after, 422])
})

test('a seal that is gone, and a record that was changed, are found in steps too', async () => {
  const instance = await sealed(3)
  const nobody = { user_id: 0, origin: 'system', request_id: null, if_match: null }
  await instance.app.store.transact(nobody, async (tx) => {
    await withoutGuards(tx)
    await tx.write('DELETE FROM audit_seals WHERE number = 2 AND organization_id = ?', [instance.organization_id])
    await tx.write('UPDATE expenses SET amount_minor = 1 WHERE id = (SELECT min(id) FROM expenses WHERE payer_id = ?)', [
      instance.organization_id,
    ])
  })
  const codes = (await inSteps(instance)).flatMap(({ problems }) => problems.map(({ code }: Json) => code))
  const { problems } = await verified(instance, { organization_id: instance.organization_id })
  expect(codes).toEqual(problems.map(({ code }) => code))
  expect(codes).toEqual(expect.arrayContaining(['number', 'previous', 'record']))
})
