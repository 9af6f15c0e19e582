/**
 * What DATEV publishes of the fields of a batch of bookings (format version 13) that Outlay fills: by its place, the name and what it may hold.
 * Texts are in quotes; a quote in one is doubled.
 */
export const datevFields: ReadonlyArray<readonly [place: number, name: string, pattern: RegExp]> = [
  [1, 'Umsatz (ohne Soll/Haben-Kz)', /^\d{1,10},\d{2}$/],
  [2, 'Soll/Haben-Kennzeichen', /^"[SH]"$/],
  [3, 'WKZ Umsatz', /^"[A-Z]{3}"$/],
  [7, 'Konto', /^\d{1,9}$/],
  [8, 'Gegenkonto (ohne BU-Schlüssel)', /^\d{1,9}$/],
  [10, 'Belegdatum', /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])$/],
  [11, 'Belegfeld 1', /^"[\w$%&*+\-/]{0,36}"$/],
  [14, 'Buchungstext', /^"(?:[^"]|""){0,60}"$/],
  [21, 'Beleginfo - Art 1', /^"(?:[^"]|""){0,20}"$/],
  [22, 'Beleginfo - Inhalt 1', /^"(?:[^"]|""){0,210}"$/],
  [23, 'Beleginfo - Art 2', /^"(?:[^"]|""){0,20}"$/],
  [24, 'Beleginfo - Inhalt 2', /^"(?:[^"]|""){0,210}"$/],
]

/** Names of further columns, which show that none is missing and none moved. */
export const datevLandmarks: ReadonlyArray<readonly [place: number, name: string]> = [
  ...([
    [9, 'BU-Schlüssel'],
    [20, 'Beleglink'],
    [36, 'Beleginfo - Inhalt 8'],
    [37, 'KOST1 - Kostenstelle'],
    [43, 'Sachverhalt L+L'],
  ] as const),
  ...([
    [48, 'Zusatzinformation - Art 1'],
    [87, 'Zusatzinformation - Inhalt 20'],
    [88, 'Stück'],
    [95, 'Auftragsnummer'],
  ] as const),
  ...([
    [101, 'Erlöskonto (Anzahlungen)'],
    [103, 'Buchungs GUID'],
    [104, 'KOST-Datum'],
    [114, 'Festschreibung'],
    [115, 'Leistungsdatum'],
  ] as const),
  ...([
    [116, 'Datum Zuord. Steuerperiode'],
    [118, 'Generalumkehr (GU)'],
    [122, 'BVV-Position'],
    [125, 'Abw. Skontokonto'],
  ] as const),
]

/** The fields of the first line, by place: those that must be filled, and what they may hold. */
export const datevHeader: ReadonlyArray<readonly [place: number, pattern: RegExp]> = [
  ...([
    [1, /^"EXTF"$/],
    [2, /^700$/],
    [3, /^21$/],
    [4, /^"Buchungsstapel"$/],
    [5, /^13$/],
    [6, /^20\d{15}$/],
    [7, /^$/],
  ] as const),
  ...([
    [8, /^"[A-Z]{0,2}"$/],
    [9, /^".{0,25}"$/],
    [10, /^""$/],
    [11, /^\d{4,7}$/],
    [12, /^[1-9]\d{0,4}$/],
    [13, /^\d{6}01$/],
  ] as const),
  ...([
    [14, /^[4-8]$/],
    [15, /^\d{8}$/],
    [16, /^\d{8}$/],
    [17, /^".{0,30}"$/],
    [18, /^"[A-Z]{0,2}"$/],
    [19, /^[12]$/],
    [20, /^(?:0|30|40|50|64)$/],
  ] as const),
  ...([
    [21, /^[01]$/],
    [22, /^"[A-Z]{3}"$/],
    [27, /^"(?:\d{2})?"$/],
  ] as const),
]
