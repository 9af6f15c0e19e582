// `npm install` runs this: lets git run the hooks in `scripts/hooks`, in a checkout whose hooks are not set up otherwise.
import { spawnSync } from 'node:child_process'

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' })
const isCheckout = git('rev-parse', '--is-inside-work-tree').status === 0
if (isCheckout && git('config', '--get', 'core.hooksPath').status !== 0) git('config', 'core.hooksPath', 'scripts/hooks')
