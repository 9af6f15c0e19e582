// `node scripts/train-reading.mjs`: trains what chooses among the amounts, dates and names of a receipt, on made receipts alone, and writes
// src-shared/readings/weights.json. No real receipt is read.
import { writeFileSync } from 'node:fs'
import { findAmounts } from '#shared/readings/amounts'
import { findDates } from '#shared/readings/dates'
import { findNames } from '#shared/readings/names'
import { toRows } from '#shared/readings/rows'
import { asLines } from '#test/support/receipts/as-lines'
import { makeReceipt } from '#test/support/receipts/make-receipt'
import { Dice } from '#test/support/receipts/receipt'

const kinds = ['brazilian', 'portuguese', 'english', 'english']
const counts = { trained: 2400, calibrated: 1600 }

const letters = (text) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

function casesFrom(first, count) {
  return Array.from({ length: count }, (_, at) => {
    const kind = kinds[at % kinds.length]
    const receipt = makeReceipt(kind, first + at)
    const dice = new Dice(first + at + 99)
    const rows = toRows(asLines(receipt, dice, dice.one([0, 0.005, 0.015, 0.04])))
    const { truth } = receipt
    return {
      total: toCase(findAmounts(rows).candidates, ({ value }) => value === truth.total),
      date: toCase(findDates(rows, truth.currency === 'USD' ? 'mdy' : 'dmy'), ({ value }) => value === truth.date),
      name: toCase(findNames(rows), ({ value }) => letters(value) === letters(truth.supplier_name)),
    }
  })
}

function toCase(candidates, isRight) {
  return { features: candidates.map(({ features }) => features), right: candidates.findIndex(isRight) }
}

/** Gradient descent with momentum on the cross-entropy of one choice among candidates and none, with a little decay. */
function train(cases) {
  const names = [...new Set(cases.flatMap(({ features }) => features.flatMap(Object.keys)))].sort()
  const dense = cases.map(({ features, right }) => ({ rows: features.map((one) => names.map((name) => one[name] ?? 0)), right }))
  const weights = names.map(() => 0)
  let none = 0
  const [speed, speedNone] = [names.map(() => 0), { value: 0 }]
  for (let round = 0; round < 400; round += 1) {
    const slope = weights.map((weight) => 0.0008 * weight)
    let slopeNone = 0
    for (const { rows, right } of dense) {
      const shares = softmax([...rows.map((row) => dot(row, weights)), none])
      for (const [at, share] of shares.entries()) {
        const error = (share - (at === (right === -1 ? rows.length : right) ? 1 : 0)) / dense.length
        if (at === rows.length) slopeNone += error
        else for (const [k, value] of rows[at].entries()) slope[k] += error * value
      }
    }
    for (const k of weights.keys()) weights[k] += speed[k] = 0.9 * speed[k] - 0.8 * slope[k]
    none += speedNone.value = 0.9 * speedNone.value - 0.8 * slopeNone
  }
  return { names, weights, none }
}

const dot = (row, weights) => row.reduce((sum, value, at) => sum + value * weights[at], 0)
function softmax(scores) {
  const most = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - most))
  const sum = powers.reduce((all, one) => all + one, 0)
  return powers.map((power) => power / sum)
}

/** The logistic curve from the margin of the best to how often it is right. */
function calibrate(choice, cases) {
  const seen = cases.flatMap(({ features, right }) => {
    const scores = features.map((one) =>
      dot(
        choice.names.map((name) => one[name] ?? 0),
        choice.weights,
      ),
    )
    if (scores.length === 0) return []
    const shares = softmax([...scores, choice.none])
    const best = shares.slice(0, -1).indexOf(Math.max(...shares.slice(0, -1)))
    const share = Math.min(1 - 1e-9, Math.max(1e-9, shares[best]))
    return [{ margin: Math.log(share / (1 - share)), isRight: best === right ? 1 : 0 }]
  })
  let [scale, shift] = [1, 0]
  for (let round = 0; round < 3000; round += 1) {
    let [slopeScale, slopeShift] = [0, 0]
    for (const { margin, isRight } of seen) {
      const error = 1 / (1 + Math.exp(-(scale * margin + shift))) - isRight
      slopeScale += (error * margin) / seen.length
      slopeShift += error / seen.length
    }
    scale -= 0.05 * slopeScale
    shift -= 0.05 * slopeShift
  }
  const right = seen.filter(({ isRight }) => isRight === 1).length
  console.log(
    `  right ${((100 * right) / cases.length).toFixed(1)} % of ${cases.length}; scale ${scale.toFixed(2)}, shift ${shift.toFixed(2)}`,
  )
  return { ...choice, scale, shift }
}

const [trained, calibrated] = [casesFrom(1, counts.trained), casesFrom(1_000_000, counts.calibrated)]
const round = (value) => Math.round(value * 1000) / 1000
const weights = Object.fromEntries(
  ['total', 'date', 'name'].map((field) => {
    console.log(field)
    const choice = calibrate(
      train(trained.map((one) => one[field])),
      calibrated.map((one) => one[field]),
    )
    return [
      field,
      { ...choice, weights: choice.weights.map(round), none: round(choice.none), scale: round(choice.scale), shift: round(choice.shift) },
    ]
  }),
)
writeFileSync(new URL('../src-shared/readings/weights.json', import.meta.url), `${JSON.stringify(weights, null, 1)}\n`)
