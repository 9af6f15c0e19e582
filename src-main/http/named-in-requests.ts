/** The id of the payer or organization in a body. */
export function namedOrganization(body: unknown): number | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { payer, payer_id, organization_id }: { payer?: unknown; payer_id?: unknown; organization_id?: unknown } = body
  const named = payer === undefined ? (payer_id ?? organization_id) : payer
  const id: unknown = typeof named === 'object' && named !== null && 'id' in named ? named.id : named
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

/** Whether the path has this parameter. */
export function hasParam<N extends string>(params: unknown, name: N): params is Record<N, unknown> {
  return typeof params === 'object' && params !== null && name in params
}

/** The number under a name; NaN if there is none. */
export function numberAt(values: unknown, name: string): number {
  return hasParam(values, name) ? Number(new Map(Object.entries(values ?? {})).get(name)) : NaN
}

/** Whether a body names a claimant or a card's user other than the caller. References that are not ids may be anyone. */
export function namesOther(body: unknown, user_id: number): boolean {
  return ['receiver', 'receiver_id', 'user', 'user_id'].some((name) => {
    const named: unknown = hasParam(body, name) ? body[name] : undefined
    const id: unknown = typeof named === 'object' && named !== null && 'id' in named ? named.id : named
    return id !== undefined && id !== null && id !== user_id
  })
}
