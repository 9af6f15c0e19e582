/** One place of the engine as it is, and as it is with a fault. */
export interface Patch {
  readonly file: string
  /** It stands there once. */
  readonly find: string
  readonly replace: string
}

/** The engine with one fault, to prove that the simulation would tell. */
export interface Mutant {
  readonly name: string
  readonly patches: readonly Patch[]
  /** Why nothing can tell: something else holds the same. */
  readonly isEquivalent?: string
}

/** The faults that sync engines are known to have, and those that this one had (`src-main/sync/SPEC.md`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'cursor before rows',
    patches: [
      {
        file: 'src-main/sync/steps/pull.ts',
        find: `  try {
    await transact(exchange, (tx) => applyPage(exchange, tx, { page, pulled, deletions, isWhole: false }))`,
        replace: `  await transact(exchange, (tx) => writeReplicaValue(tx, 'pulled', { ...pulled, cursor: page.cursor, seq: page.seq }))
  pulled.cursor = page.cursor
  try {
    await transact(exchange, (tx) => applyPage(exchange, tx, { page, pulled, deletions, isWhole: false }))`,
      },
    ],
  },
  {
    name: 'ack as end',
    patches: [{ file: 'src-main/sync/steps/push.ts', find: 'if (result.seq === 0 ||', replace: 'if (result.seq >= 0 ||' }],
  },
  {
    name: 'no nonce',
    patches: [
      {
        file: 'src-main/change-feed/cursor.ts',
        find: 'return seq === 0 || (await findNonce(reader, seq)) === nonce',
        replace: 'return seq === 0 || (nonce !== undefined && (await findNonce(reader, seq)) !== undefined)',
      },
    ],
  },
  {
    name: 'guard off',
    patches: [
      { file: 'src-main/sync/guard.ts', find: 'if (sum <= believed) continue', replace: 'if (sum <= believed || sum > 0) continue' },
    ],
  },
  {
    name: 'delete by absence',
    patches: [
      {
        file: 'src-main/sync/steps/pull.ts',
        find: 'removed: page.removed,',
        replace: `removed: [...page.removed, ...(await tx.writeAll('SELECT id FROM expenses ORDER BY id DESC LIMIT 1', []))
      .map(({ id }) => ({ table: 'expenses', id: Number(id) }))
      .filter(({ id }) => page.tables.length > 0 && !page.tables.some((part) => part.rows.some((row) => row.includes(id))))],`,
      },
    ],
  },
  {
    name: 'baked-in id',
    patches: [{ file: 'src-main/http/sync/carry-out.ts', find: 'values.push({ at, value: id })', replace: 'void at' }],
  },
  {
    name: 'no op dedupe',
    patches: [
      {
        file: 'src-main/http/sync/carry-out.ts',
        find: 'const stored = await findOperation(tx, op_id)',
        replace: 'const stored = op_id === "" ? await findOperation(tx, op_id) : undefined',
      },
      { file: 'src-main/store/sync/sync-operations.ts', find: "'INSERT INTO sync_operations", replace: "'REPLACE INTO sync_operations" },
    ],
  },
  {
    name: 'conditional moves rebased',
    patches: [
      {
        file: 'src-main/http/sync/carry-out.ts',
        find: "if (policy === 'conditional') {",
        replace: "if (policy === 'conditional' && operation.op_id === '') {",
      },
      { file: 'src-main/sync/steps/pull.ts', find: 'if (others.size === 0) return stale', replace: 'if (others.size >= 0) return stale' },
    ],
  },
  {
    name: 'children of a dropped operation sent',
    patches: [{ file: 'src-main/sync/park.ts', find: 'if (dropped.size === 0) return', replace: 'if (dropped.size >= 0) return' }],
  },
  {
    name: 'clone not noticed',
    patches: [
      { file: 'src-main/use-cases/sync/begin-exchange.ts', find: 'if (turn === known.next_turn) {', replace: 'if (turn !== undefined) {' },
    ],
  },
  {
    name: 'scope removal ignored',
    patches: [
      { file: 'src-main/change-feed/changes.ts', find: "if (scopes !== audience.scopes.join(','))", replace: "if (scopes === '')" },
      { file: 'src-main/sync/steps/handshake.ts', find: "pulled.scopes !== response.scopes.join(',')", replace: "pulled.scopes === ''" },
    ],
  },
  {
    name: 'no undo before apply',
    patches: [
      { file: 'src-main/sync/overlay.ts', find: 'undoOperations(tx, affected, {', replace: 'undoOperations(tx, new Set<number>(), {' },
    ],
  },
  {
    name: 'journal outside the transaction',
    patches: [
      {
        file: 'src-main/http/replica/journal.ts',
        find: `  await appendOperation(tx, {
    id: number,`,
        replace: `  const later = (row) => tx.afterCommit(() => void deps.store.transact(tx.actor, (next) => appendOperation(next, row)).catch(() => undefined))
  later({
    id: number,`,
      },
    ],
  },
  {
    name: 'merge groups apart',
    patches: [{ file: 'src-shared/sync/merge.ts', find: '([, { mergeGroup }]) => mergeGroup,', replace: '([name]) => name,' }],
  },
  {
    name: 'nothing offered again after a restored remote',
    patches: [{ file: 'src-main/sync/steps/rewind.ts', find: 'for (const row of lost)', replace: 'for (const row of lost.slice(0, 0))' }],
  },
  {
    name: 'no tombstones',
    patches: [
      {
        file: 'src-main/store/sync/apply-rows.ts',
        find: 'const incoming = part.rows.map((cells)',
        replace: `const deleted = part.columns.indexOf('deleted_at')
  const incoming = part.rows.filter((row) => deleted < 0 || row[deleted] === null).map((cells)`,
      },
    ],
  },
  {
    name: 'an effect in a snapshot never ends its operation',
    patches: [
      { file: 'src-main/sync/steps/pull.ts', find: "updateOperation(tx, id, { state: 'sent', effect_seq: null })", replace: 'void id' },
      { file: 'src-main/sync/steps/settle.ts', find: "updateOperation(tx, id, { state: 'sent', effect_seq: null })", replace: 'void id' },
    ],
  },
  {
    name: 'the trail of a lost history stays',
    patches: [{ file: 'src-main/sync/steps/settle.ts', find: '  await sweepTrail(tx)\n', replace: '' }],
  },
  {
    name: 'a member who joins stays a name',
    patches: [{ file: 'src-main/change-feed/changes.ts', find: "[...(wanted.get('memberships') ?? [])]", replace: '[]' }],
  },
  {
    name: 'triggers lost with a rolled back write',
    patches: [
      {
        file: 'src-main/store/core/connection.ts',
        find: `this.#isCapturing && this.prepare("SELECT 1 FROM temp.sqlite_master WHERE name = 'captured'").get()`,
        replace: 'this.#isCapturing',
      },
    ],
  },
  {
    name: 'a file is believed without its hash',
    patches: [
      { file: 'src-main/sync/steps/downloads.ts', find: 'if (file.sha256 !== sha256) throw', replace: 'if (file.sha256 === "") throw' },
    ],
  },
  {
    name: 'what names a record is left behind',
    patches: [
      {
        file: 'src-main/store/sync/apply-rows.ts',
        find: `    { to: owner, table, column: link.owner, isOptional: false },
`,
        replace: '',
      },
    ],
  },
]
