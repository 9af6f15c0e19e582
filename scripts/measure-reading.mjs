// Measures how receipts are read: `node scripts/measure-reading.mjs --images FOLDER --labels FOLDER --list FILE [--cache FOLDER]` for the pictures
// named in a list, with a label of each as FOLDER/<name>.json (`date`, `total`, `company`); `--made COUNT` for made receipts in three levels of
// damage; `--world COUNT [--unseen] [--draw]` for made receipts of 24 countries, as damaged text or, drawn, as pictures. Read text is kept in the
// cache, as reading it takes a second a receipt. `--errors` names what is wrong.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { withFills } from '#shared/readings/fills'
import { decodeGrey, readPixels } from '#main/files/ocr/read-pixels'
import { readSurely } from '#main/files/ocr/read-surely'
import { madeCases } from '#test/support/receipts/made-cases'
import { worldCases } from '#test/support/receipts/world-cases'

const { values: asked } = parseArgs({
  options: {
    images: { type: 'string' },
    labels: { type: 'string' },
    list: { type: 'string' },
    cache: { type: 'string' },
    made: { type: 'string' },
    world: { type: 'string' },
    unseen: { type: 'boolean', default: false },
    draw: { type: 'boolean', default: false },
    errors: { type: 'boolean' },
  },
})
const cpu = { seconds: 0, receipts: 0, rssMb: 0 }

/** The text of a picture; what was read of it is kept, so that a change of the fields is measured in seconds. */
async function textOf(name, picture) {
  const path = asked.cache && join(asked.cache, `${name}.json`)
  const kept = path && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { lines: [], again: {} }
  const isNew = kept.lines.length === 0
  let reading
  const read = async () => (reading ??= readPixels(await decodeGrey(await picture(), 100_000_000), 0))
  const spend = async (work) => {
    const before = process.cpuUsage()
    const done = await work()
    const { user, system } = process.cpuUsage(before)
    cpu.seconds += (user + system) / 1e6
    return done
  }
  if (isNew) {
    kept.lines = await spend(async () => (await read()).lines)
    cpu.receipts += 1
  }
  const again = async (line, height) => {
    const at = kept.lines.indexOf(line)
    kept.again[`${at} ${height}`] ??= await spend(async () => {
      const { lines, again: readAgain } = await read()
      return readAgain(lines[at], height)
    })
    return kept.again[`${at} ${height}`]
  }
  const keep = () => {
    if (!path || !reading) return
    mkdirSync(asked.cache, { recursive: true })
    writeFileSync(path, JSON.stringify(kept))
  }
  return { lines: kept.lines, again, keep }
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** A label's day in any writing; the day comes before the month. */
function toDay(text = '') {
  const iso = /(20\d{2})[/.-](\d{1,2})[/.-](\d{1,2})/.exec(text)
  const [, day, month, year] =
    (iso && [0, iso[3], iso[2], iso[1]]) ?? /(\d{1,2})\s*[/. -]\s*(\w{1,9})\s*[/. ,'-]*\s*(\d{2,4})/.exec(text) ?? []
  if (!day) return ''
  const number = /^\d+$/.test(month) ? month : String(months.indexOf(month.slice(0, 3).toLowerCase()) + 1)
  // A month that is none is a day.
  if (Number(number) > 12) return `${year}-${day.padStart(2, '0')}-${number}`
  return `${year.length === 2 ? '20' : ''}${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`
}
const toMinor = (text = '') => String(Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 100))
const letters = (text = '') =>
  text
    .normalize('NFD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')

async function* listed() {
  for (const file of readFileSync(asked.list, 'utf8').split(/\s+/).filter(Boolean)) {
    const name = basename(file, extname(file))
    const label = JSON.parse(readFileSync(join(asked.labels, `${name}.json`), 'utf8'))
    yield {
      ...{ name, group: 'all' },
      picture: await textOf(file, async () => join(asked.images, file)),
      truth: { date: toDay(label.date), total: toMinor(label.total), supplier_name: letters(label.company) },
    }
  }
}

async function* made() {
  for (const one of madeCases(Number(asked.made))) {
    const { total, date, supplier_name, supplier_tax_id } = one.truth
    const picture = await textOf(one.name, one.draw)
    yield {
      name: one.name,
      group: one.level,
      picture,
      truth: { date, total: String(total), supplier_name: letters(supplier_name), supplier_tax_id },
    }
  }
}

async function* world() {
  for (const { name, receipt, lines, again, draw } of worldCases(Number(asked.world), { isUnseen: asked.unseen })) {
    const { date, total, currency } = receipt.truth
    const picture = asked.draw ? await textOf(name, draw) : { lines, again, keep: () => undefined }
    for (const group of ['all', receipt.layout]) yield { name, group, picture, truth: { date, total: `${currency} ${total}` } }
  }
}

const sums = new Map()
const count = (group, field, what) => {
  const key = `${group} ${field}`
  const known = sums.get(key) ?? { all: 0, right: 0, topThree: 0, filled: 0, filledRight: 0 }
  for (const name of what) known[name] += 1
  sums.set(key, known)
}
for await (const { name, group, picture, truth } of asked.world ? world() : asked.made ? made() : listed()) {
  const readings = withFills(await readSurely([picture]))
  picture.keep()
  for (const [field, wanted] of Object.entries(truth)) {
    if (!wanted) continue
    const found = readings.filter((reading) => reading.field === field)
    const written = ({ value, currency }) =>
      asked.world && field === 'total' ? `${currency} ${value}` : field === 'supplier_name' ? letters(value) : value
    const same = (reading) => written(reading) === wanted
    const [best] = found
    const isRight = best !== undefined && same(best)
    const isFilled = best?.fills === true
    count(group, field, [
      'all',
      ...(isRight ? ['right'] : []),
      ...(found.some(same) ? ['topThree'] : []),
      ...(isFilled ? ['filled'] : []),
      ...(isFilled && isRight ? ['filledRight'] : []),
    ])
    if (asked.errors && !isRight && field !== 'supplier_name')
      console.log(
        `${name} ${field}: wanted ${wanted}, read ${found.map((reading) => `${written(reading)} (${reading.probability})`).join(', ')}${isFilled ? ' FILLED' : ''}`,
      )
  }
}
const percent = (part, of) => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`
for (const [key, { all, right, topThree, filled, filledRight }] of [...sums].sort())
  console.log(
    `${key.padEnd(26)} right ${percent(right, all).padStart(7)}  top three ${percent(topThree, all).padStart(7)}  filled ${percent(filled, all).padStart(7)}  right of filled ${filledRight} of ${filled} (${percent(filledRight, filled)})`,
  )
if (cpu.receipts > 0)
  console.log(
    `${cpu.receipts} read, ${(cpu.seconds / cpu.receipts).toFixed(2)} CPU s each, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most`,
  )
