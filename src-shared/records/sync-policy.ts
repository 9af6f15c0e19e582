/**
 * How a write is sent from a replica to its remote (`src-main/sync/SPEC.md`, "Meaning").
 * - `add`: it adds or removes something of the person's own; nothing by others can conflict with it.
 * - `merge`: it changes attributes; each merge group separately.
 * - `conditional`: it depends on what the person saw, and is rejected if that has changed.
 * - `forward`: it contains a secret, or concerns the remote itself; it is sent at once, or not at all.
 * - `local`: it concerns this instance alone.
 */
export type SyncPolicy = 'add' | 'merge' | 'conditional' | 'forward' | 'local'
