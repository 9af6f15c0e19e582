// What the demo lacks for pictures: policies, a repeat, an approval rule, a stand-in, a handover and a closed month, made through the API.

const policies = [
  { name: 'Up to BRL 500 each', weight: 'block', condition: 'amount_over', amount: 500, currency: 'BRL' },
  { name: 'Receipts above BRL 100', weight: 'reason', condition: 'receipt_missing', amount: 100, currency: 'BRL' },
  { name: 'Working days', weight: 'note', condition: 'on_weekend' },
  { name: 'BRL 2,000 a month', weight: 'note', condition: 'sum_over', amount: 2000, currency: 'BRL', period: 'month' },
]

const layout = {
  ...{ separator: ';', decimal: ',', days: 'dd.mm.yyyy', encoding: 'utf-8', isQuoted: false, hasHeader: true, otherwise: '4900' },
  columns: [
    { kind: 'attribute', name: 'Date', attribute: 'occurred_at' },
    { kind: 'code', name: 'Account', of: 'tag' },
    { kind: 'constant', name: 'Book', text: 'TRAVEL' },
  ],
  codes: { tag: { Taxi: '4660' }, claimant: {} },
}

/** Makes it, once. `send` calls the API and returns its JSON; `shown`: the expense in the pictures. Returns the ids of what was made. */
export async function fillForPictures(send, { organization, shown }) {
  const at = `/organizations/${organization.id}`
  const make = async (path, name, bodies) => {
    const known = (await send('GET', `${at}${path}`))[name]
    if (known.length > 0) return known
    const stored = []
    for (const body of bodies) stored.push(await send('POST', `${at}${path}`, body))
    return stored
  }
  const { memberships } = await send('GET', `${at}/members`)
  const idOf = (role) => memberships.find((member) => member.role === role).user.id
  const made = await make('/policies', 'policies', policies)
  await make('/approval_rules', 'approval_rules', [
    { name: 'Two people above 5,000', rule: 'second_look', amount: 5000, currency: 'BRL' },
    { name: 'Marcus up to 10,000', rule: 'authority', user_ids: [idOf('manager')], amount: 10000, currency: 'BRL' },
  ])
  await make('/stand_ins', 'stand_ins', [
    {
      ...{ name: 'Holidays', user: { type: 'User', id: idOf('manager') }, delegate: { type: 'User', id: idOf('admin') } },
      ...{ starts_at: '2026-12-20T00:00:00Z', ends_at: '2099-01-04T00:00:00Z' },
    },
  ])
  const { amount, currency, occurred_at, description, receiver } = shown
  const repeats = await send('GET', `/expenses?q[description_eq]=${encodeURIComponent(`${description} (again)`)}`)
  const repeat =
    repeats.expenses[0] ??
    (await send('POST', '/expenses', {
      ...{ amount, currency, occurred_at, receiver, description: `${description} (again)` },
      payer: { type: 'Organization', id: organization.id },
    }))
  const [profile] = await make('/export_profiles', 'export_profiles', [{ name: 'Ledger', layout: JSON.stringify(layout) }])
  const [handover] = await make('/handovers', 'handovers', [
    { format: 'csv', title: 'January', q: { status_in: ['approved', 'liquidated'] } },
  ])
  await make('/closings', 'closings', [{ name: '2020-01' }])
  return { policy: made[0].id, repeat: repeat.id, profile: profile.id, handover: handover.id }
}
