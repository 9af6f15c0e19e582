const instantPattern = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?)?$/

const millisecondsPerMinute = 60_000

/**
 * The canonical instant `YYYY-MM-DDTHH:MM:SSZ` of an ISO 8601 date (midnight UTC) or datetime. Converts an offset to UTC; without one, UTC is
 * assumed; cuts off fractions. Undefined for other values, dates that do not exist (2023-02-30, hour 25), and years outside 0001 to 9999 in UTC.
 * Contract section 1, "Dates"; supplement 1, "Dates".
 */
export function parseInstant(text: unknown): string | undefined {
  const match = typeof text === 'string' ? instantPattern.exec(text) : null
  if (match === null) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', , sign, offsetHour = '00', offsetMinute = '00'] = match
  if (!isDay(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute))
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const date = new Date(local - offsetMinutes * millisecondsPerMinute)
  return isWrittenInFourDigits(date) ? toInstant(date) : undefined
}

/**
 * The canonical instant `YYYY-MM-DDTHH:MM:SSZ` of a Date, without milliseconds.
 * @throws RangeError if the Date is invalid or outside the years 0001 to 9999.
 */
export function toInstant(date: Date): string {
  if (!isWrittenInFourDigits(date)) throw new RangeError(`Not an instant of the years 0001 to 9999: ${String(date)}`)
  return `${date.toISOString().slice(0, 19)}Z`
}

function isWrittenInFourDigits(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999
}

function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
