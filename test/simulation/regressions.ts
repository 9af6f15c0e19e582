import type { History } from './history'

/** A history that once failed, as few steps of it as it needed, and what was wrong. */
export interface Regression {
  readonly was: string
  readonly history: History
}

/** Histories that once failed; they are lived through again in every run. `npm run simulate` prints the next ones behind "=". */
export const regressions: readonly Regression[] = [
  {
    was: 'two copies of a folder that exchanged alternately went on as one device',
    history: {
      seed: 5,
      stride: 70,
      seats: [
        { person: 4, device: 'a' },
        { person: 4, device: 'b' },
        { person: 3, device: 'a' },
      ],
      steps: [{ kind: 'clone', seat: 0, seed: 1658297324 }],
    },
  },
  {
    was: 'a member who came back to an organization stayed a name for others',
    history: {
      seed: 162,
      stride: 70,
      seats: [
        { person: 4, device: 'a' },
        { person: 2, device: 'a' },
      ],
      // The second member gets a snapshot while the first is away: their own role changed.
      steps: [
        { kind: 'role', seat: 0, seed: 5 },
        { kind: 'role', seat: 1, seed: 11 },
        { kind: 'sync', seat: 1, seed: 1 },
        { kind: 'role', seat: 0, seed: 6 },
      ],
    },
  },
  {
    was: 'the trail of a history that was taken back stayed on replicas',
    history: {
      seed: 91,
      stride: 70,
      seats: [
        { person: 1, device: 'a' },
        { person: 1, device: 'b' },
        { person: 2, device: 'a' },
      ],
      steps: [
        { kind: 'local', seat: 1, seed: 1337491874 },
        { kind: 'copy remote', seat: 2, seed: 3077044807 },
        { kind: 'purge', seat: 2, seed: 3952133898 },
        { kind: 'restore remote', seat: 2, seed: 1863381001 },
      ],
    },
  },
  {
    was: 'a copy made in the middle of a handshake was taken for the same device after one exchange, before it could be noticed',
    history: {
      seed: 9920,
      stride: 3,
      seats: [
        { person: 1, device: 'a' },
        { person: 1, device: 'b' },
      ],
      steps: [
        { kind: 'bad sync', seat: 1, seed: 2080938260 },
        { kind: 'clone', seat: 1, seed: 1792036545 },
      ],
    },
  },
]
