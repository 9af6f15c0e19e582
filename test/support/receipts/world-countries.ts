import type { Dice } from '#test/support/receipts/receipt'

const columns = [
  ...[
    'total',
    'due',
    'sub',
    'tax',
    'cash',
    'change',
    'card',
    'tip',
    'discount',
    'deposit',
    'rounding',
    'refund',
    'date',
    'time',
    'receipt',
  ],
  ...['invoice', 'room', 'night', 'fare', 'parking', 'toll', 'fuel', 'litres', 'table', 'items', 'thanks'],
] as const

/** The words of a language on receipts, by what they mean; several where there are some. */
export type ReceiptWords = (meaning: (typeof columns)[number]) => readonly [string, ...string[]]

/** Parts are in the order of the columns; `/` separates alternatives. */
const languages: Readonly<Record<string, string>> = {
  en: 'Total/TOTAL/Grand Total/Amount Due|Amount due|Subtotal|VAT|Cash|Change|Visa|Tip|Discount|Deposit paid|Rounding|Refund|Date|Time|Receipt|Invoice|Room|nights|Fare|Parking|Toll|Unleaded|Litres|Table|Coffee/Sandwich/Soup of the day/Mineral water/Fish and chips/Notebook A5/Batteries AA|Thank you',
  pt: 'TOTAL/Total/VALOR TOTAL/Total a pagar|Valor a pagar|Subtotal|IVA|Dinheiro|Troco|Cartão|Gorjeta|Desconto|Sinal|Arredondamento|Devolução|Data|Hora|Recibo|Fatura|Quarto|noites|Tarifa|Estacionamento|Pedágio|Gasolina|Litros|Mesa|Café/Sanduíche/Sopa do dia/Água mineral/Almoço executivo/Caderno A5/Pilhas AA|Obrigado',
  es: 'Total/TOTAL/Total a pagar/Importe total|A pagar|Subtotal|IVA|Efectivo|Cambio|Tarjeta|Propina|Descuento|Anticipo|Redondeo|Devolución|Fecha|Hora|Recibo|Factura|Habitación|noches|Tarifa|Estacionamiento|Peaje|Gasolina|Litros|Mesa|Café/Bocadillo/Sopa del día/Agua mineral/Menú del día/Cuaderno A5/Pilas AA|Gracias',
  de: 'Summe/Gesamt/Gesamtbetrag/SUMME|Zu zahlen|Zwischensumme|MwSt|Bar|Rückgeld|EC-Karte|Trinkgeld|Rabatt|Anzahlung|Rundung|Erstattung|Datum|Uhrzeit|Beleg|Rechnung|Zimmer|Nächte|Fahrpreis|Parkgebühr|Maut|Super E10|Liter|Tisch|Kaffee/Brötchen/Tagessuppe/Mineralwasser/Schnitzel/Heft A5/Batterien AA|Vielen Dank',
  fr: 'Total/TOTAL TTC/Total TTC/Net à payer|Net à payer|Sous-total|TVA|Espèces|Rendu|Carte bancaire|Pourboire|Remise|Acompte|Arrondi|Remboursement|Date|Heure|Ticket|Facture|Chambre|nuits|Course|Parking|Péage|Gazole|Litres|Table|Café/Sandwich/Soupe du jour/Eau minérale/Plat du jour/Cahier A5/Piles AA|Merci',
  it: 'Totale/TOTALE/TOTALE COMPLESSIVO/Totale documento|Da pagare|Subtotale|IVA|Contanti|Resto|Carta|Mancia|Sconto|Acconto|Arrotondamento|Rimborso|Data|Ora|Scontrino|Fattura|Camera|notti|Corsa|Parcheggio|Pedaggio|Benzina|Litri|Tavolo|Caffè/Panino/Zuppa del giorno/Acqua minerale/Pasta al forno/Quaderno A5/Pile AA|Grazie',
  nl: 'Totaal/TOTAAL/Te betalen/Totaal EUR|Te betalen|Subtotaal|BTW|Contant|Wisselgeld|Pinpas|Fooi|Korting|Aanbetaling|Afronding|Terugbetaling|Datum|Tijd|Bon|Factuur|Kamer|nachten|Rit|Parkeren|Tol|Euro 95|Liter|Tafel|Koffie/Broodje/Dagsoep/Mineraalwater/Dagschotel/Schrift A5/Batterijen AA|Bedankt',
  sv: 'Totalt/Summa/Att betala/TOTALT|Att betala|Delsumma|Moms|Kontant|Växel|Bankkort|Dricks|Rabatt|Förskott|Öresavrundning|Återbetalning|Datum|Tid|Kvitto|Faktura|Rum|nätter|Resa|Parkering|Vägtull|Bensin 95|Liter|Bord|Kaffe/Smörgås/Dagens soppa/Mineralvatten/Dagens lunch/Häfte A5/Batterier AA|Tack',
  nb: 'Totalt/Sum/Å betale/TOTALT|Å betale|Delsum|MVA|Kontant|Tilbake|Bankkort|Tips|Rabatt|Forskudd|Avrunding|Refusjon|Dato|Tid|Kvittering|Faktura|Rom|netter|Tur|Parkering|Bompenger|Bensin 95|Liter|Bord|Kaffe/Brødskive/Dagens suppe/Mineralvann/Dagens lunsj/Skrivebok A5/Batterier AA|Takk',
  da: 'Total/I alt/At betale/TOTAL|At betale|Subtotal|Moms|Kontant|Retur|Dankort|Drikkepenge|Rabat|Forudbetalt|Afrunding|Tilbagebetaling|Dato|Tid|Bon|Faktura|Værelse|nætter|Tur|Parkering|Bro|Blyfri 95|Liter|Bord|Kaffe/Smørrebrød/Dagens suppe/Mineralvand/Dagens ret/Hæfte A5/Batterier AA|Tak',
  pl: 'SUMA/Suma/Razem/Do zapłaty|Do zapłaty|Podsuma|PTU|Gotówka|Reszta|Karta|Napiwek|Rabat|Zaliczka|Zaokrąglenie|Zwrot|Data|Godzina|Paragon|Faktura|Pokój|noce|Przejazd|Parking|Autostrada|Benzyna 95|Litry|Stolik|Kawa/Kanapka/Zupa dnia/Woda mineralna/Obiad/Zeszyt A5/Baterie AA|Dziękujemy',
  hu: 'Összesen/ÖSSZESEN/Végösszeg/Fizetendő|Fizetendő|Részösszeg|ÁFA|Készpénz|Visszajáró|Bankkártya|Borravaló|Kedvezmény|Előleg|Kerekítés|Visszatérítés|Dátum|Idő|Nyugta|Számla|Szoba|éj|Viteldíj|Parkolás|Útdíj|Benzin 95|Liter|Asztal|Kávé/Szendvics/Napi leves/Ásványvíz/Napi menü/Füzet A5/Elem AA|Köszönjük',
  ja: '合計/合計金額/合計/お支払金額|ご請求額|小計|消費税|現金|お釣り|クレジット|チップ|割引|前受金|端数|返金|日付|時刻|領収書|請求書|部屋|泊|運賃|駐車料金|通行料|レギュラー|リットル|テーブル|コーヒー/サンドイッチ/スープ/ミネラルウォーター/定食/ノート/乾電池|ありがとうございました',
}

/** The words of a language. */
export function wordsOfLanguage(language: string): ReceiptWords {
  const parts = (languages[language] ?? '').split('|')
  return (meaning) => {
    const [first = '', ...others] = (parts[columns.indexOf(meaning)] ?? '').split('/')
    return [first, ...others]
  }
}

/** A country as its receipts show it. `sign`: how amounts are printed, `#` for the number; `order`: how days are, `#` for a dot, dash or slash. */
export interface WorldCountry {
  readonly code: string
  readonly language: string
  readonly currency: string
  readonly decimals: number
  readonly point: string
  readonly group: string
  readonly signs: readonly string[]
  readonly days: readonly string[]
  readonly tax: string
  readonly town: string
  readonly telephone: string
  readonly domain: string
  readonly taxNumber: (dice: Dice) => string
  readonly isWhole?: boolean
}

type Row = readonly [
  code: string,
  language: string,
  currency: string,
  decimals: number,
  separators: string,
  signs: string,
  days: string,
  tax: string,
  town: string,
  telephone: string,
  number: string,
]

/** `9` in a number is any digit. */
const rows: readonly Row[] = [
  ['BR', 'pt', 'BRL', 2, ',.', 'R$ #|#', 'd/m/y', 'ICMS', 'Centro - Curitiba - PR', '(41) 3999-9999', 'CNPJ: 12.345.678/0001-95'],
  [
    'PT',
    'pt',
    'EUR',
    2,
    ',.',
    '# €|€ #|#',
    'd-m-y|d/m/y|y-m-d',
    'IVA 23%',
    '1100-053 Lisboa',
    '+351 21 999 9999',
    'Contribuinte: 501442600',
  ],
  ['US', 'en', 'USD', 2, '.,', '$#|#', 'm/d/y|m/d/s', 'Sales Tax', 'Springfield, IL 62704', '(217) 555-9999', 'Store #9999'],
  [
    'CA',
    'en',
    'CAD',
    2,
    '.,',
    '$#|#',
    'm/d/y|y-m-d|d/m/y|N d, y',
    'HST 13%',
    'Toronto, ON M5V 2T6',
    '(416) 555-9999',
    'HST 99999 9999 RT0001',
  ],
  [
    'MX',
    'es',
    'MXN',
    2,
    '.,',
    '$#|#|$ # MXN',
    'd/m/y|d/m/s',
    'IVA 16%',
    'Col. Centro, CDMX C.P. 06000',
    '55 9999 9999',
    'RFC: ABC999999XY9',
  ],
  ['CL', 'es', 'CLP', 0, ',.', '$#|$ #', 'd/m/y|d-m-y', 'IVA 19%', 'Providencia, Santiago', '+56 2 9999 9999', 'R.U.T.: 76.999.999-9'],
  ['GB', 'en', 'GBP', 2, '.,', '£#|#', 'd/m/y|d/m/s|d N y', 'VAT 20%', 'London SW1A 1AA', '020 7999 9999', 'VAT No: GB 999 9999 99'],
  ['DE', 'de', 'EUR', 2, ',.', '# €|#|# EUR|EUR #', 'd.m.y|d.m.s', 'MwSt 19%', '10115 Berlin', '+49 30 9999999', 'USt-IdNr. DE999999999'],
  ['CH', 'de', 'CHF', 2, ".'", 'CHF #|#|Fr. #', 'd.m.y|d.m.s', 'MWST 8.1%', '8001 Zürich', '+41 44 999 99 99', 'CHE-999.999.999 MWST'],
  ['FR', 'fr', 'EUR', 2, ', ', '# €|#|# EUR', 'd/m/y|d/m/s', 'TVA 20%', '75001 Paris', '+33 1 99 99 99 99', 'SIRET 99999999999999'],
  ['ES', 'es', 'EUR', 2, ',.', '# €|#', 'd/m/y|d-m-y', 'IVA 21%', '28013 Madrid', '+34 91 999 9999', 'CIF: B99999999'],
  ['IT', 'it', 'EUR', 2, ',.', '€ #|#|# €', 'd/m/y|d-m-y', 'IVA 22%', '00184 Roma', '+39 06 9999999', 'P.IVA 99999999999'],
  [
    'JP',
    'ja',
    'JPY',
    0,
    '.,',
    '¥#|¥#|#円',
    'y/m/d|y年m月d日',
    '消費税 10%',
    '東京都千代田区',
    'TEL 03-9999-9999',
    '登録番号 T9999999999999',
  ],
  ['KW', 'en', 'KWD', 3, '.,', 'KD #|#|KWD #', 'd/m/y|d-m-y', 'Service 10%', 'Salmiya, Kuwait', '+965 2299 9999', 'Lic. 99999'],
  ['NL', 'nl', 'EUR', 2, ',.', '€ #|#', 'd-m-y|d/m/y', 'BTW 21%', '1012 AB Amsterdam', '+31 20 999 9999', 'BTW NL999999999B01'],
  ['SE', 'sv', 'SEK', 2, ', ', '# kr|#|SEK #', 'y-m-d', 'Moms 25%', '111 22 Stockholm', '+46 8 999 99 99', 'Org.nr 559999-9999'],
  ['NO', 'nb', 'NOK', 2, ', ', 'kr #|#|NOK #', 'd.m.y', 'MVA 25%', '0154 Oslo', '+47 22 99 99 99', 'Org.nr 999 999 999 MVA'],
  ['DK', 'da', 'DKK', 2, ',.', '# kr|#|DKK #', 'd.m.y|d-m-y', 'Moms 25%', '1050 København', '+45 33 99 99 99', 'CVR 99999999'],
  ['PL', 'pl', 'PLN', 2, ', ', '# zł|#|PLN #', 'd-m-y|y-m-d|d.m.y', 'PTU 23%', '00-001 Warszawa', '+48 22 999 99 99', 'NIP 999-999-99-99'],
  ['AU', 'en', 'AUD', 2, '.,', '$#|#', 'd/m/y|d/m/s', 'GST', 'Melbourne VIC 3000', '(03) 9999 9999', 'ABN 99 999 999 999'],
  ['IN', 'en', 'INR', 2, '.,', 'Rs. #|₹#|#', 'd/m/y|d-m-y', 'CGST 9%', 'Bengaluru 560001', '+91 80 9999 9999', 'GSTIN: 29ABCDE9999F1Z5'],
  ['AE', 'en', 'AED', 2, '.,', 'AED #|#|Dhs. #', 'd/m/y|d-m-y', 'VAT 5%', 'Dubai, UAE', '+971 4 999 9999', 'TRN 100999999999999'],
  ['ZA', 'en', 'ZAR', 2, '.,', 'R #|#|R#', 'd/m/y|y/m/d', 'VAT 15%', 'Cape Town 8001', '+27 21 999 9999', 'VAT No 4999999999'],
  [
    'HU',
    'hu',
    'HUF',
    2,
    ', ',
    '# Ft|# Ft|HUF #',
    'y.m.d.|y. m. d.',
    'ÁFA 27%',
    '1051 Budapest',
    '+36 1 999 9999',
    'Adószám: 99999999-2-99',
  ],
]

const fill = (pattern: string, dice: Dice) => pattern.replaceAll('9', () => String(dice.whole(0, 9)))

/** 24 countries. */
export const worldCountries: readonly WorldCountry[] = rows.map(
  ([code, language, currency, decimals, separators, signs, days, tax, town, telephone, number]) => ({
    ...{
      code,
      language,
      currency,
      decimals,
      tax,
      town,
      telephone,
      domain: code === 'GB' ? 'co.uk' : code === 'US' ? 'com' : code.toLowerCase(),
    },
    ...{ point: separators.charAt(0), group: separators.charAt(1), signs: signs.split('|'), days: days.split('|') },
    taxNumber: (dice) => (code === 'BR' || code === 'PT' ? number : fill(number, dice)),
    isWhole: code === 'HU',
  }),
)
