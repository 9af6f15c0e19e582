/** The first whose pattern fits names it: many browsers call themselves the ones before them too. */
const browsers: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['Outlay', /\bElectron\//],
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]
const systems: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** A browser and its system by the `User-Agent` that it sent, such as "Firefox, Linux"; the text itself where neither is known. */
export function browserName(userAgent: string): string {
  const named = [browsers, systems].flatMap((list) => list.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
  return named.length === 0 ? userAgent.slice(0, 60) : named.join(', ')
}
