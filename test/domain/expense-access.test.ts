import { describe, expect, it } from 'vitest'

import { canSeeExpense, decideExpenseDeletion, decideExpenseEdit } from '#shared/domain/expense-access'
import { type ExpenseStatus, expenseStatuses } from '#shared/domain/expense-status'

const receiver = { role: 'member', is_receiver: true } as const
const analyst = { role: 'analyst', is_receiver: false } as const
const manager = { role: 'manager', is_receiver: false } as const
const stranger = { role: 'member', is_receiver: false } as const

describe('an expense', () => {
  it('is seen by its receiver, its participants and those who review', () => {
    const nobody = { role: 'member', is_receiver: false, is_participant: false } as const
    expect(canSeeExpense(nobody)).toBe(false)
    expect(canSeeExpense({ ...nobody, role: undefined })).toBe(false)
    expect(canSeeExpense({ ...nobody, is_receiver: true })).toBe(true)
    expect(canSeeExpense({ ...nobody, role: undefined, is_receiver: true })).toBe(true)
    expect(canSeeExpense({ ...nobody, is_participant: true })).toBe(true)
    expect(canSeeExpense({ ...nobody, role: undefined, is_participant: true })).toBe(false)
    for (const role of ['analyst', 'manager', 'admin'] as const) expect(canSeeExpense({ ...nobody, role })).toBe(true)
  })

  it('is edited by its receiver only while awaiting analysis or pending', () => {
    const editable = expenseStatuses.filter((status) => decideExpenseEdit({ status }, receiver).kind === 'allowed')
    expect(editable).toEqual(['awaiting_analysis', 'pending'])
  })

  it('is edited by analysts until approved, by managers while approved, by no one once liquidated', () => {
    const kinds = (relation: Parameters<typeof decideExpenseEdit>[1]) =>
      (['analyzing', 'rejected', 'noncompliant', 'approved', 'liquidated'] satisfies ExpenseStatus[]).map(
        (status) => decideExpenseEdit({ status }, relation).kind,
      )
    expect(kinds(analyst)).toEqual(['allowed', 'allowed', 'allowed', 'forbidden', 'not_possible'])
    expect(kinds(manager)).toEqual(['allowed', 'allowed', 'allowed', 'allowed', 'not_possible'])
    expect(kinds(stranger)).toEqual(['forbidden', 'forbidden', 'forbidden', 'forbidden', 'not_possible'])
  })

  it('is deleted by anyone who may edit it, unless a reimbursement or a review holds it', () => {
    const free = { status: 'pending', is_in_reimbursement: false, is_in_review: false } as const
    expect(decideExpenseDeletion(free, receiver)).toEqual({ kind: 'allowed' })
    expect(decideExpenseDeletion(free, stranger)).toEqual({ kind: 'forbidden' })
    expect(decideExpenseDeletion({ ...free, is_in_review: true }, manager)).toEqual({ kind: 'not_possible' })
    expect(decideExpenseDeletion({ ...free, is_in_reimbursement: true }, stranger)).toEqual({ kind: 'not_possible' })
  })
})
