/**
 * How a write is carried from a replica to its remote (`src-main/sync/SPEC.md`, "Meaning").
 * - `add`: it adds, or removes something of the person's own; nothing by others can conflict with it.
 * - `merge`: it changes attributes; each merge group separately.
 * - `conditional`: it depends on what the person saw, and is rejected if that has changed.
 * - `forward`: it carries a secret, or is about the remote itself; it goes there at once, or not at all.
 * - `local`: it is about this instance alone.
 */
export type SyncPolicy = 'add' | 'merge' | 'conditional' | 'forward' | 'local'
