import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { registerCard } from '#test/support/cards'
import { uploadStatement } from '#test/support/statements/upload'

const acme = await instanceOfFile()

/** A statement of an account: its balances, the day of the first one, and days of lines of 10.00. */
interface TwoBalances {
  readonly opening: number
  readonly closing: number
  readonly days: readonly string[]
}
const fixture = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '../../fixtures/statements', name)))
const send = (card_id: number, rest: Omit<Parameters<typeof uploadStatement>[2], 'card_id'>) =>
  uploadStatement(acme, acme.member, { card_id, ...rest })

describe('a statement whose lines do not come to its balances', () => {
  test('says by how much and where, and is added only by a caller who names that difference', async () => {
    const card = await registerCard(acme, acme.member)
    const bytes = fixture('americas/us-doubled.csv')
    const { body } = await send(card.id, { bytes, isPreview: true })
    expect(body.proof).toEqual({
      ...{ from: '2026-03-14', to: '2026-03-17', lines: 5, currency: 'BRL', sum: 50, opening: -100, closing: -60, difference: -10 },
      ...{ reason: 'Line 3 seems to be in the file twice.', line: 3 },
    })
    for (const difference of [undefined, '0', '10', 'unknown'])
      expect(await send(card.id, { bytes, ...(difference && { difference }) })).toMatchObject({
        status: 422,
        body: { errors: { difference: expect.any(Array) } },
      })
    expect(await send(card.id, { bytes, difference: '-10.00' })).toMatchObject({
      status: 200,
      body: { added: 5, proof: { difference: -10 } },
    })
  })

  test('is added without a word where it comes to them, and named by its count alone otherwise', async () => {
    const card = await registerCard(acme, acme.member)
    expect(await send(card.id, { bytes: fixture('americas/us-day-order.csv') })).toMatchObject({
      status: 200,
      body: { added: 5, proof: { difference: 0, reason: null } },
    })
    const other = await registerCard(acme, acme.member)
    const bytes = fixture('messages/ch-count.xml')
    expect((await send(other.id, { bytes })).status).toBe(422)
    expect((await send(other.id, { bytes, difference: '0' })).status).toBe(422)
    expect(await send(other.id, { bytes, difference: 'unknown' })).toMatchObject({ status: 200, body: { added: 2 } })
  })
})

describe('a PDF', () => {
  test('is read by the places of its texts, and added where its balances prove it', async () => {
    const card = await registerCard(acme, acme.member)
    const bytes = fixture('pages/gb-groups.pdf')
    const { body } = await send(card.id, { bytes, account: '5678', isPreview: true })
    expect(body).toMatchObject({
      format: 'pdf',
      added: 4,
      undecided: [],
      proof: { opening: -500, closing: -560.3, difference: 0, reason: null },
    })
    expect(await send(card.id, { bytes, account: '5678' })).toMatchObject({ status: 200, body: { added: 4 } })
    expect((await send(card.id, { bytes })).body).toMatchObject({ added: 0, known: 4 })
  })

  test('without balances is a proposal that someone has to compare', async () => {
    const card = await registerCard(acme, acme.member)
    const bytes = fixture('pages/es-tarjeta.pdf')
    const chosen = { bytes, account: '7788' }
    expect((await send(card.id, { ...chosen, isPreview: true })).body.proof).toMatchObject({
      difference: null,
      reason: 'No balances of the PDF prove its lines. Compare them with the pages.',
    })
    expect(await send(card.id, chosen)).toMatchObject({ status: 422, body: { errors: { difference: expect.any(Array) } } })
    expect(await send(card.id, { ...chosen, difference: 'unknown' })).toMatchObject({ status: 200, body: { added: 3 } })
  })

  test.each([
    [
      'of a picture',
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj trailer<</Root 1 0 R>>',
      'picture without text',
    ],
    ['that is damaged', '%PDF-1.4\nhello', 'damaged, too large or has a password'],
  ])('%s is refused with a sentence that says what to do', async (_, bytes, sentence) => {
    const card = await registerCard(acme, acme.member)
    const refused = await send(card.id, { bytes, isPreview: true })
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.body)).toContain(sentence)
    expect(JSON.stringify(refused.body)).toContain('OFX, CSV')
  })
})

describe('an OFX file, which has a closing balance alone', () => {
  const booked = (day: number, amount: string) =>
    `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>202603${day}<TRNAMT>${amount}<FITID>9017${day}0043<NAME>SHOP ${day}</STMTTRN>`
  const file = (days: readonly [number, number], balance: string, lines: readonly string[]) =>
    `OFXHEADER:100\n\n<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>************7777</CCACCTFROM><BANKTRANLIST><DTSTART>202603${days[0]}<DTEND>202603${days[1]}${lines.join('\n')}</BANKTRANLIST><LEDGERBAL><BALAMT>${balance}<DTASOF>202603${days[1]}</LEDGERBAL></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>\n`

  test('is proven by the balance of the statement before, and otherwise says that it is not', async () => {
    const card = await registerCard(acme, acme.member)
    const first = file([10, 15], '-50.00', [booked(12, '-20.00')])
    expect((await send(card.id, { bytes: first, account: '7777' })).body).toMatchObject({
      added: 1,
      proof: { opening: null, closing: 50, difference: null, reason: null },
    })
    const short = file([16, 20], '-90.00', [booked(17, '-30.00')])
    expect((await send(card.id, { bytes: short, isPreview: true })).body.proof).toMatchObject({
      ...{ opening: 50, closing: 90, difference: 10 },
      reason: 'The lines do not lead from the balance of the statement before to that of this one.',
    })
    expect((await send(card.id, { bytes: short })).status).toBe(422)
    const whole = file([14, 20], '-90.00', [booked(17, '-30.00'), booked(18, '-10.00')])
    expect((await send(card.id, { bytes: whole })).body).toMatchObject({ added: 2, proof: { opening: 50, closing: 90, difference: 0 } })
    expect((await send(card.id, { bytes: whole })).body).toMatchObject({ added: 0, known: 2, proof: { difference: 0 } })
    expect((await send(card.id, { bytes: first })).body).toMatchObject({ added: 0, known: 1, proof: { difference: null, reason: null } })
  })
})

describe.each([
  [
    'MT940',
    ({ opening, closing, days }: TwoBalances) =>
      `:20:X\n:25:DE00100200300001117777\n:28C:1\n:60F:C${days[0]}EUR${opening},00\n${days
        .slice(1)
        .map((day) => `:61:${day}${day.slice(2)}D10,00NMSCREF${day}\n:86:SHOP ${day}\n`)
        .join('')}:62F:C${days.at(-1)}EUR${closing},00\n-\n`,
  ],
  [
    'CAMT',
    ({ opening, closing, days }: TwoBalances) => {
      const iso = (day = '') => `20${day.slice(0, 2)}-${day.slice(2, 4)}-${day.slice(4)}`
      const balance = (type: string, amount: number, day?: string) =>
        `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${iso(day)}</Dt></Dt></Bal>`
      const entries = days
        .slice(1)
        .map(
          (day) =>
            `<Ntry><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${iso(day)}</Dt></BookgDt><AcctSvcrRef>R${day}</AcctSvcrRef><AddtlNtryInf>SHOP ${day}</AddtlNtryInf></Ntry>`,
        )
      return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE00100200300001117777</IBAN></Id></Acct>${balance('OPBD', opening, days[0])}${balance('CLBD', closing, days.at(-1))}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
    },
  ],
])('%s, which has both balances', (_, write) => {
  test('says where it does not begin as the statement before ended', async () => {
    const card = await registerCard(acme, acme.member)
    const first = write({ opening: 100, closing: 90, days: ['260301', '260310'] })
    expect((await send(card.id, { bytes: first, account: '7777' })).body).toMatchObject({ added: 1, notes: [], proof: { difference: 0 } })
    const gap = write({ opening: 65, closing: 55, days: ['260320', '260325'] })
    expect((await send(card.id, { bytes: gap, isPreview: true })).body).toMatchObject({
      proof: { difference: 0 },
      notes: [
        'The statement before ends on 2026-03-10, and this one does not begin as it ended: EUR 25.00 seem to be missing between them.',
      ],
    })
    const overlap = write({ opening: 105, closing: 85, days: ['260301', '260310', '260325'] })
    expect((await send(card.id, { bytes: overlap, isPreview: true })).body.notes).toEqual([
      'This statement and the one to 2026-03-10 have days in common, and differ by EUR -5.00 there.',
    ])
    const next = write({ opening: 90, closing: 80, days: ['260311', '260325'] })
    expect((await send(card.id, { bytes: next })).body).toMatchObject({ added: 1, notes: [] })
    for (const bytes of [first, next]) expect((await send(card.id, { bytes })).body).toMatchObject({ added: 0, known: 1, notes: [] })
  })
})

describe('a file of several accounts', () => {
  test('is asked about, and its other account is named and left out', async () => {
    const card = await registerCard(acme, acme.member)
    const bytes = fixture('europe/be-bedrag.csv')
    const asked = await send(card.id, { bytes, isPreview: true })
    expect(asked.body).toMatchObject({
      ...{ rows: 0, undecided: [{ column: 'account' }] },
      accounts: [
        { account: '1111', lines: 2, is_taken: false },
        { account: '2222', lines: 1, is_taken: false },
      ],
    })
    expect(await send(card.id, { bytes })).toMatchObject({ status: 422, body: { errors: { account: expect.any(Array) } } })
    const done = await send(card.id, { bytes, account: '1111' })
    expect(done.body).toMatchObject({ added: 2, left_out: [{ reason: 'other_account', count: 1, lines: [{ line: 3, text: 'Huur' }] }] })
    expect((await send(card.id, { bytes })).body).toMatchObject({ added: 0, known: 2 })
    const other = await registerCard(acme, acme.member)
    expect((await send(other.id, { bytes, account: '2222' })).body).toMatchObject({
      added: 1,
      left_out: [{ reason: 'other_account', count: 2 }],
    })
    for (const { id } of [card, other])
      expect((await send(id, { bytes })).body).toMatchObject({
        ...{ added: 0, undecided: [] },
        accounts: [
          { account: '1111', lines: 2, currency: 'BRL', sum: expect.any(Number), is_taken: id === card.id, corporative_card_id: card.id },
          { account: '2222', lines: 1, is_taken: id === other.id, corporative_card_id: other.id },
        ],
      })
  })

  test('that is a PDF is asked about too, and adds each account to its card', async () => {
    const bytes = fixture('pages/gb-two-accounts.pdf')
    for (const [account, other] of [
      ['2222', '5678'],
      ['5678', '2222'],
    ] as const) {
      const card = await registerCard(acme, acme.member)
      const asked = await send(card.id, { bytes, isPreview: true })
      expect(asked.body).toMatchObject({ rows: 0, undecided: [{ column: 'account' }] })
      expect(asked.body.accounts.map((one) => [one.account, one.lines])).toEqual([
        ['2222', 2],
        ['5678', 2],
      ])
      expect((await send(card.id, { bytes })).body).toMatchObject({ errors: { account: expect.any(Array) } })
      const { body } = await send(card.id, { bytes, account })
      expect(body).toMatchObject({ added: 2, proof: { difference: 0, reason: null }, left_out: [{ reason: 'other_account', count: 2 }] })
      expect(body.accounts).toMatchObject([account, other].toSorted().map((one) => ({ account: one, is_taken: one === account })))
    }
  })

  test('with equal last digits tells them apart', async () => {
    const card = await registerCard(acme, acme.member)
    const bytes = fixture('europe/be-bedrag.csv')
    const text = new TextDecoder().decode(bytes)
    const alike = text.replaceAll('0000 2222', '0001 1111')
    expect(alike).not.toBe(text)
    expect((await send(card.id, { bytes: alike, isPreview: true })).body.accounts).toMatchObject([
      { account: '1111', lines: 2, is_taken: false },
      { account: '1111 (2)', lines: 1, is_taken: false },
    ])
    expect((await send(card.id, { bytes: alike, account: '1111 (2)' })).body).toMatchObject({ added: 1 })
  })

  test('that is wholly of another account than before is confirmed first', async () => {
    const card = await registerCard(acme, acme.member)
    const file = (iban: string) => `Konto;${iban}\n\nBuchungstag;Text;Betrag\n02.03.2026;Brot;-2,50\n03.03.2026;Bahn;-7,50\n`
    expect((await send(card.id, { bytes: file('DE00100200300001112222'), account: '2222' })).body.added).toBe(2)
    const bytes = file('DE00100200300001119999').replaceAll('03.2026', '04.2026')
    expect((await send(card.id, { bytes, isPreview: true })).body).toMatchObject({
      undecided: [{ column: 'account' }],
      accounts: [{ account: '9999' }],
    })
    expect((await send(card.id, { bytes })).status).toBe(422)
    expect((await send(card.id, { bytes, account: '9999' })).body.added).toBe(2)
    expect((await send(card.id, { bytes, isPreview: true })).body.undecided).toEqual([])
    const stored = await acme.app.store.reader.all(
      (await import('#main/store/core/statement')).statement<object, { accounts: string | null }>((db) =>
        db.selectFrom('statement_mappings').select('accounts'),
      ),
      {},
    )
    expect(JSON.stringify(stored)).not.toContain('1002003')
  })
})

describe('a file of a current account', () => {
  test('adds nothing to a card until someone says that it is of this card, and is known from then on', async () => {
    const card = await registerCard(acme, acme.member)
    const bytes = fixture('americas/us-checking.ofx')
    const asked = await send(card.id, { bytes, isPreview: true })
    expect(asked.body).toMatchObject({
      undecided: [{ column: 'account', reason: expect.stringContaining('bank account, not of a card') }],
      accounts: [{ account: '6789', lines: 2, is_taken: false }],
    })
    expect(await send(card.id, { bytes })).toMatchObject({ status: 422, body: { errors: { account: expect.any(Array) } } })
    expect(JSON.stringify((await acme.member.api.get('/pre_expenses?per_page=100')).body)).not.toContain('RENT')
    expect((await send(card.id, { bytes, account: '6789' })).body).toMatchObject({ added: 2, undecided: [] })
    expect((await send(card.id, { bytes })).body).toMatchObject({ added: 0, known: 2, undecided: [] })
  })
})

describe("how a card's earlier files were read", () => {
  test('decides nothing about files of another format, nor against the file', async () => {
    const card = await registerCard(acme, acme.member)
    const qif = "!Type:CCard\nD03/25'26\nT-5.00\nPDiner\n^\nD03/26'26\nT-6.00\nPTaxi\n^\n"
    expect((await send(card.id, { bytes: qif })).body.mapping).toMatchObject({ date_order: 'mdy', spent: 'negative' })
    const csv = (days: readonly [string, string]) => `Date,Text,Amount\n${days[0]},Diner,15.00\n${days[1]},Hotel,16.00\n`
    const open = await send(card.id, { bytes: csv(['03/04/2026', '05/06/2026']), isPreview: true })
    expect(open.body).toMatchObject({ mapping: { spent: 'positive' }, undecided: [{ column: 'Date' }] })
    expect((await send(card.id, { bytes: csv(['03/04/2026', '05/06/2026']), mapping: { date_order: 'mdy' } })).body).toMatchObject({
      added: 2,
      first_day: '2026-03-04',
    })
    expect((await send(card.id, { bytes: csv(['07/08/2026', '08/09/2026']), isPreview: true })).body).toMatchObject({
      first_day: '2026-07-08',
      notes: [],
    })
    const other = await send(card.id, { bytes: csv(['31/08/2026', '01/09/2026']), isPreview: true })
    expect(other.body).toMatchObject({
      first_day: '2026-08-31',
      notes: ['Dates are read as day, month, year, unlike in your earlier files.'],
    })
  })
})
