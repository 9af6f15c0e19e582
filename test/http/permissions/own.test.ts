import { provePermissions } from '#test/support/permissions/prove'

provePermissions(['at home', "the caller's own", "another member's", 'shared with the caller', 'in the charge of the caller'])
