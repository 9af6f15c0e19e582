/** A linear choice among candidates, of which one or none is right. `scale` and `shift` convert the best one's margin into a probability. */
export interface Choice {
  readonly names: readonly string[]
  readonly weights: readonly number[]
  /** The score of "none of these". */
  readonly none: number
  readonly scale: number
  readonly shift: number
}

/** A candidate's features by name; missing ones are 0. */
export type Features = Readonly<Record<string, number>>

/** Candidates with their probabilities, most likely first. */
export function rank<Candidate extends { readonly features: Features }>(
  { names, weights, none, scale, shift }: Choice,
  candidates: readonly Candidate[],
): Array<{ readonly candidate: Candidate; readonly probability: number }> {
  const scored = candidates
    .map((candidate) => ({
      candidate,
      score: names.reduce((sum, name, at) => sum + (weights[at] ?? 0) * (candidate.features[name] ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score)
  const highest = Math.max(none, ...scored.map(({ score }) => score))
  const all = Math.exp(none - highest) + scored.reduce((sum, { score }) => sum + Math.exp(score - highest), 0)
  return scored.map(({ candidate, score }, at) => {
    const share = Math.exp(score - highest) / all
    if (at > 0) return { candidate, probability: Math.min(share, 0.5) }
    const margin = Math.log(Math.max(share, 1e-9) / Math.max(1 - share, 1e-9))
    return { candidate, probability: 1 / (1 + Math.exp(-(scale * margin + shift))) }
  })
}

/** The features of a candidate with several places: the evidence from any of them, with the best reading. */
export function mergeFeatures(all: readonly Features[]): Features {
  const names = new Set(all.flatMap((one) => Object.keys(one)))
  const best = (name: string) => (name === 'blurred' ? Math.min : Math.max)(...all.map((one) => one[name] ?? 0))
  return Object.fromEntries([...names].map((name) => [name, best(name)]))
}
