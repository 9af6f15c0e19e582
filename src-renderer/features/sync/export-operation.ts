import type { ReplicaOperation } from '#shared/contract/replica'

/** The name of the file that an operation is exported to. */
export function exportName({ created_at, op_id }: Pick<ReplicaOperation, 'created_at' | 'op_id'>): string {
  return `outlay-${created_at.slice(0, 10)}-${op_id.slice(-8)}.json`
}

/** An operation as it is kept outside: all that is known of it, for a person or a program to do it again. */
export function exportText(operation: ReplicaOperation): string {
  return `${JSON.stringify(operation, null, 2)}\n`
}

/** Gives an operation to the person as a file. */
export function exportOperation(operation: ReplicaOperation): void {
  const url = URL.createObjectURL(new Blob([exportText(operation)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = exportName(operation)
  link.click()
  URL.revokeObjectURL(url)
}
