/**
 * Separation of duties: an organization can have someone else approve what a person claims or recorded (`separate_approval`), and someone
 * else pay what a person approved or receives (`separate_payment`). Nothing ever waits for nobody: a person is kept from an act only while
 * another one could do it.
 */

/** Who is concerned by an act. All are ids of users. */
export interface Duty {
  /** Everyone whose role allows the act. */
  readonly able: readonly number[]
  /** The person in whose favour it is: the claimant, the one who is paid. */
  readonly beneficiary: number
  /** Those who did an earlier part of it: who recorded, who approved. Each steps back only if someone remains. */
  readonly involved: readonly number[]
}

/** Who may act, of those who are able: nobody concerned; else anyone but the beneficiary; else everyone. */
export function listFree({ able, beneficiary, involved }: Duty): readonly number[] {
  const others = able.filter((id) => id !== beneficiary)
  const unconcerned = others.filter((id) => !involved.includes(id))
  return [unconcerned, others, able].find((ids) => ids.length > 0) ?? []
}
