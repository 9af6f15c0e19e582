import { expect, type Page } from '@playwright/test'
import { signedInvoice } from '#test/support/receipts/signed-invoices'
import { pressButton } from './form-visits'

/** What a person sees, by its name: an address, and what opens it there. Every screen, sheet and dialog is a line of one of these lists. */
export type State = { readonly at: string; readonly open?: (page: Page) => Promise<void> }

/** Screens of an organization that has something of everything; `:id` is that of the first record of `list`. */
export const fullScreens: ReadonlyArray<{ readonly path: string; readonly list?: { readonly path: string; readonly name: string } }> = [
  { path: '/review' },
  { path: '/capture' },
  { path: '/my-expenses' },
  { path: '/reimbursements' },
  { path: '/reimbursements/:id', list: { path: '/reimbursements', name: 'reimbursements' } },
  { path: '/advances' },
  { path: '/advances/:id', list: { path: '/advancements', name: 'advancements' } },
  { path: '/accountabilities' },
  { path: '/accountabilities/:id', list: { path: '/accountabilities', name: 'accountabilities' } },
  { path: '/pre-expenses' },
  { path: '/pre-expenses/:id', list: { path: '/pre_expenses', name: 'pre_expenses' } },
  { path: '/cards' },
  { path: '/cards/:id', list: { path: '/corporative_cards', name: 'corporative_cards' } },
  { path: '/statements' },
  { path: '/handovers' },
  { path: '/reports' },
  { path: '/reports?by=tag' },
  { path: '/team' },
  { path: '/team/1' },
  { path: '/tags' },
  { path: '/suppliers' },
  { path: '/policies' },
  { path: '/approvals' },
  { path: '/export-profiles' },
  { path: '/stand-ins' },
  { path: '/closings' },
  { path: '/webhooks' },
  { path: '/import' },
  { path: '/sync' },
  { path: '/audit' },
  { path: '/settings' },
  { path: '/settings/notifications' },
  { path: '/settings/sign-in' },
  { path: '/settings/organization' },
  { path: '/settings/remote' },
]

/** Screens of an organization that has nothing yet. */
export const emptyScreens = [
  '/review',
  '/my-expenses',
  '/reimbursements',
  '/advances',
  '/accountabilities',
  '/pre-expenses',
  '/cards',
  '/statements',
  '/tags',
  '/suppliers',
  '/policies',
  '/approvals',
  '/webhooks',
] as const

/** What a person who is not signed in sees. */
export const doors = ['/sign-in', '/join', '/welcome'] as const

/** Waits for the list of expenses, and presses keys in it. */
const inList =
  (...keys: readonly string[]) =>
  async (page: Page) => {
    const list = page.getByRole('grid').first()
    await expect(list).toContainText('Hotel')
    await list.focus()
    for (const key of keys) await page.keyboard.press(key)
  }

/** What opens over a list of expenses with hotels, by its name. */
export const overReview: Readonly<Record<string, State>> = {
  'the menu of the user': { at: '/review', open: pressButton(/Ana Souza/) },
  'the commands': { at: '/review', open: (page) => page.keyboard.press('Control+k') },
  'the list of keys': { at: '/review', open: (page) => page.keyboard.press('?') },
  'the inbox': { at: '/review', open: (page) => page.keyboard.press('Shift+N') },
  'the filters of reviews': { at: '/review', open: pressButton(/^(Filter|Filtro)/) },
  'the groups of reviews': { at: '/review', open: pressButton(/^(Group|Agrupar)/) },
  'the sheet of an approval of many': { at: '/review', open: inList('Control+a', 'a') },
  'the sheet of a rejection': { at: '/review?queue=all', open: inList('r') },
}

/** Writes an expense of a closed month that may repeat another and is out of policy. */
async function writeMuch(page: Page): Promise<void> {
  const write = (field: string, text: string) => page.locator(`[data-field=${field}]`).fill(text)
  await write('description', 'Hotel 1')
  await write('date', '2026-01-03')
  await write('amount', '121')
  await expect(page.getByRole('note')).toBeVisible()
  await expect(page.locator('ul[aria-label]').filter({ hasText: 'Nights' })).toBeVisible()
}

/** Has Capture read an invoice that was altered after it was signed. */
async function addAltered(page: Page): Promise<void> {
  const buffer = Buffer.from(signedInvoice().replace('<vNF>210.00', '<vNF>910.00'))
  await page.locator('input[type=file]').first().setInputFiles({ name: 'forged.xml', mimeType: 'application/xml', buffer })
  await expect(page.getByText('forged.xml').first()).toBeVisible()
  await expect(page.getByRole('group').filter({ hasText: '11.222.333/0001-81' })).toBeVisible()
}

/** What a member reads and writes where others look after the records, by its name. */
export const ofMember: Readonly<Record<string, State>> = {
  'a tag of others': { at: '/tags/1' },
  'what one holds': { at: '/advances' },
  'an advance of a closed month': { at: '/advances/1' },
  'the webhooks of others': { at: '/webhooks' },
  'settings with an address for receipts': { at: '/settings/notifications' },
  'an expense of which much is said': { at: '/capture', open: writeMuch },
  'an altered invoice': { at: '/capture', open: addAltered },
}

/** What a list of expenses with hotels shows of itself. */
export const ofReview: Readonly<Record<string, State>> = {
  'a selected expense': { at: '/review', open: inList('x') },
  'a list that is filtered': { at: '/review?queue=all&f=receiver.is.2&f=amount.above.20' },
}
