import type { ReplicaOffer, ReplicaOperation } from '#shared/contract/instance/replica'

/** The name of the file that an operation is exported to. */
export function exportName({ created_at, op_id }: Pick<ReplicaOperation, 'created_at' | 'op_id'>): string {
  return `outlay-${created_at.slice(0, 10)}-${op_id.slice(-8)}.json`
}

/** An exported operation: all its data, for a person or a program to repeat it. */
export function exportText(operation: ReplicaOperation): string {
  return `${JSON.stringify(operation, null, 2)}\n`
}

/** Gives an operation to the person as a file. */
export function exportOperation(operation: ReplicaOperation): void {
  save(exportName(operation), exportText(operation))
}

/** Gives what was made here before there was a remote, and stays, to the person as a file. */
export function exportOffers(offers: readonly ReplicaOffer[]): void {
  const records = offers.map(({ kind, title, stays, record }) => ({ kind, title, stays, record }))
  save('outlay-made-before.json', `${JSON.stringify(records, null, 2)}\n`)
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
