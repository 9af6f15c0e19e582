import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listFree } from '#shared/domain/duties'

const id = fc.integer({ min: 1, max: 5 })
const duties = fc.record({ able: fc.uniqueArray(id, { maxLength: 5 }), beneficiary: id, involved: fc.array(id, { maxLength: 3 }) })

test('an act that some role allows always has someone who may do it, however many are concerned or on leave', () => {
  fc.assert(
    fc.property(duties, (duty) => {
      const free = listFree(duty)
      expect(free.every((one) => duty.able.includes(one))).toBe(true)
      expect(free.length > 0).toBe(duty.able.length > 0)
    }),
  )
})

test('nobody acts in their own favour while anyone else could, or twice on one thing while an unconcerned person could', () => {
  fc.assert(
    fc.property(duties, (duty) => {
      const free = listFree(duty)
      const others = duty.able.filter((one) => one !== duty.beneficiary)
      if (others.length > 0) expect(free).not.toContain(duty.beneficiary)
      if (others.some((one) => !duty.involved.includes(one))) for (const one of duty.involved) expect(free).not.toContain(one)
    }),
  )
})
