import { provePermissions } from '#test/support/permissions/prove'

provePermissions(['of another organization', 'deleted', 'in a deleted organization', 'under another record'])
