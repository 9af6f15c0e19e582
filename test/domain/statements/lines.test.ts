import { describe, expect, test } from 'vitest'
import { lineKindOf } from '#shared/domain/statements/lines'

const kindOf = (text: string, amount_minor: number) => lineKindOf({ text, amount_minor, type: null })

describe('what a line is, by its text', () => {
  test.each([
    'ANNUAL FEE',
    'Interest charge on purchases',
    'JUROS DE MORA',
    'Anuidade diferenciada',
    'INTERESES POR FINANCIACIÓN',
    'Comisión por disposición',
    'COTISATION CARTE',
    'Frais de tenue',
    'Sollzinsen',
    'Jahresgebühr',
    'Interessi passivi',
    'Canone mensile',
    'Rente',
    'Odsetki od zadłużenia',
    'Opłata za kartę',
    'Årsavgift',
    'Gebyr',
    'Årsgebyr',
    'Vuosimaksu',
    'Úroky z úvěru',
    'Poplatek za vedení',
    'Faiz tutarı',
    'Kamat',
    'Комиссия за обслуживание',
    'カード年会費',
    '手续费',
  ])('%s is a fee', (text) => {
    expect(kindOf(text, 500)).toBe('fee')
  })

  test.each([
    'PAYMENT - THANK YOU',
    'ONLINE PYMT',
    'Pagamento de fatura',
    'SU PAGO RECIBIDO',
    'Paiement reçu',
    'Zahlung erhalten, danke',
    'Lastschrifteinzug',
    'Addebito saldo carta',
    'Betaling ontvangen',
    'Spłata karty',
    'Inbetalning',
    'Indbetaling',
    'Platba karty',
    'Ödemeniz için teşekkürler',
    'Погашение задолженности',
    '信用卡还款',
  ])('%s pays the card', (text) => {
    expect(kindOf(text, -5000)).toBe('payment')
  })

  test.each(['FRAISERIE PARIS', 'RANTAKAHVILA', 'MULTAN RESTAURANT', 'COMMISSARY STORE', 'TARIFAIRE', 'Interestelar Livros'])(
    '%s is a purchase',
    (text) => {
      expect(kindOf(text, 500)).toBe('charge')
    },
  )

  test.each(['REFUND OF PAYMENT', 'Estorno pagamento duplicado', 'Gutschrift Zahlung', 'Remboursement paiement'])(
    '%s is a refund',
    (text) => {
      expect(kindOf(text, -500)).toBe('refund')
    },
  )
})
