import { accountabilityRoutes } from '#shared/contract/accountabilities'
import { devolutionRoutes } from '#shared/contract/advancement-devolutions'
import { advancementRoutes } from '#shared/contract/advancements'
import { expenseRoutes } from '#shared/contract/expenses'
import type { OfferKind } from '#shared/contract/instance/replica'
import { preExpenseRoutes } from '#shared/contract/pre-expenses'
import type { Route } from '#shared/contract/route'
import { tagRoutes } from '#shared/contract/tags'

/** How to create a kind of record, and the parties in its body. */
interface Creating {
  readonly route: Route
  readonly parties: ReadonlyArray<'payer' | 'receiver'>
}

/** How to create each kind of record that can be offered to the remote; others cannot be created. */
export const creatingRoutes: Partial<Record<OfferKind, Creating>> = {
  tag: { route: tagRoutes.create, parties: [] },
  pre_expense: { route: preExpenseRoutes.create, parties: [] },
  expense: { route: expenseRoutes.create, parties: ['payer', 'receiver'] },
  advancement: { route: advancementRoutes.create, parties: ['payer', 'receiver'] },
  devolution: { route: devolutionRoutes.create, parties: ['payer', 'receiver'] },
  accountability: { route: accountabilityRoutes.create, parties: ['payer', 'receiver'] },
}
