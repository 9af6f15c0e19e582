import type { Fault } from '#test/faults/fault'

/** Faults in rules and permissions. */
export const rules: readonly Fault[] = [
  {
    name: 'who stands in is the second person',
    file: 'src-shared/domain/duties.ts',
    find: 'user_id !== person && of !== person',
    replace: 'user_id !== person',
    effect: 'A manager looks and their own stand-in approves: one person decides a large amount that needs two.',
    test: 'test/domain/approvals.test.ts',
  },
]
