import { provePermissions } from '#test/support/permissions/prove'

provePermissions(['with an id that nothing has', 'with a negative id', 'with a huge id'])
