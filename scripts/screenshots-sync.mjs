// The responses of a replica: the demo has no remote.
const counts = { waiting: 3, waiting_bytes: 1840, conflicts: 4, failed: 0, quarantined: 0, uploads: 1, downloads: 36 }

const operation = (expense, changes) => ({
  op_id: `01a1fd61-11ec-754b-8b2b-${String(changes.turn).padStart(12, '0')}`,
  state: 'pending',
  method: 'PATCH',
  path: `/expenses/${expense.id - changes.turn}`,
  body: {},
  is_conditional: changes.turn === 0,
  seen: null,
  subject: { table: 'expenses', id: expense.id - changes.turn, uid: changes.turn === 0 ? expense.uid : String(changes.turn) },
  base: {},
  mine: {},
  attempts: 0,
  bytes: 215,
  created_at: new Date(Date.now() - 600_000 * (4 - changes.turn)).toISOString(),
  answer: null,
  ...changes,
})

function operationsOf(list, expense) {
  const { amount, currency } = expense
  const approval = {
    turn: 0,
    method: 'PUT',
    path: `/expenses/${expense.id}/status`,
    body: { status: 'approved', approved_amount: amount, approved_amount_currency: currency },
  }
  const edit = { turn: 1, body: { description: 'Hotel' }, base: { description: 'Hotel' }, mine: { description: 'Hotel, two nights' } }
  if (list === 'conflicts') {
    const came = (message, differences) => ({
      state: 'conflict',
      answer: { status: 409, message, differences, by: 'Bruno Lima', at: new Date(Date.now() - 900_000).toISOString() },
    })
    const seen = { attribute: 'amount', base: amount, mine: null, theirs: amount + 42 }
    const both = { attribute: 'description', base: 'Hotel', mine: 'Hotel, two nights', theirs: 'Hotel and breakfast' }
    return [
      operation(expense, { ...approval, base: { currency }, ...came('stale', [seen]) }),
      ...[1, 2, 3].map((turn) => operation(expense, { ...edit, turn, ...came('disagreement', [both]) })),
    ]
  }
  if (list !== 'waiting') return []
  const path = `/expenses/${expense.id - 2}/comments`
  return [
    operation(expense, approval),
    operation(expense, edit),
    operation(expense, { turn: 2, method: 'POST', path, body: { content: 'Who else was there?' } }),
  ]
}

const offered = (id, kind, changes) => ({
  ...{ id, kind, title: '', stays: null, is_settled: false, comments: 0, attachments: 0, record: null, state: 'offered' },
  ...{ amount: null, currency: null, occurred_at: null },
  ...changes,
})

const money = (amount, day) => ({ amount, currency: 'BRL', occurred_at: `2026-01-${day}T12:00:00Z` })

const offers = [
  offered(1, 'tag', { title: 'Recife' }),
  offered(2, 'pre_expense', { title: 'Ride', ...money(23.4, '03') }),
  offered(3, 'expense', { title: 'Hotel', attachments: 2, comments: 1, ...money(480, '05') }),
  offered(4, 'expense', { title: 'Taxi', is_settled: true, ...money(62.5, '06') }),
  offered(5, 'advancement', { title: 'Recife', ...money(1500, '02') }),
  offered(6, 'reimbursement', { title: 'January', stays: 'payment', record: {}, ...money(62.5, '09') }),
  offered(7, 'corporative_card', { title: 'Travel 4242', stays: 'number', record: {} }),
]

/**
 * Has the page see an instance with a remote that it cannot reach, with work that waits and work that came back; or, with
 * `isOffering`, with what was made before.
 */
export async function answerAsReplica(page, expense, isOffering) {
  await page.route('**/api/v1/replica/offers', (route) => route.fulfill({ json: { count: offers.length, offers } }))
  await page.route('**/api/v1/replica', (route) =>
    route.fulfill({
      json: {
        remote: { url: 'https://outlay.example.org', user_id: 1, is_compatible_only: false },
        activity: 'offline',
        stop: null,
        progress: null,
        counts,
        oldest_waiting_at: new Date(Date.now() - 2_400_000).toISOString(),
        last_changed_at: null,
        keeps_in_sync: true,
        last_synced_at: new Date(Date.now() - 3_000_000).toISOString(),
        last_error: null,
        receipt_budget_bytes: 500 * 1024 * 1024,
        offered: isOffering ? offers.length : 0,
      },
    }),
  )
  await page.route('**/api/v1/replica/operations?*', (route) => {
    const operations = operationsOf(new URL(route.request().url()).searchParams.get('list'), expense)
    return route.fulfill({ json: { count: operations.length, operations } })
  })
}
