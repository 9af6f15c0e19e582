import { proved } from '#test/support/permissions/places'
import { provePermissions } from '#test/support/permissions/prove'

provePermissions(proved.expired)
