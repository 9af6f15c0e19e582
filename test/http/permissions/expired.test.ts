import { provePermissions } from '#test/support/permissions/prove'

provePermissions(['in an expired organization', "the caller's own in an expired organization"])
