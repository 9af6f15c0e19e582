import type { Route } from '#shared/contract/route'
import type { CallFixture, CallFixtures } from './call-fixture'
import { accountabilityFixtures } from './fixtures/accountabilities'
import { approvalFixtures } from './fixtures/approvals'
import { captureFixtures } from './fixtures/captures'
import { closingFixtures } from './fixtures/closings'
import { conversationFixtures } from './fixtures/conversations'
import { exchangeRateFixtures } from './fixtures/exchange-rates'
import { statementFixtures } from './fixtures/statements'
import { expenseFixtures } from './fixtures/expenses'
import { notificationFixtures } from './fixtures/notifications'
import { organizationFixtures } from './fixtures/organizations'
import { exportFixtures } from './fixtures/exports'
import { exportProfileFixtures } from './fixtures/export-profiles'
import { handoverFixtures } from './fixtures/handovers'
import { importFixtures } from './fixtures/imports'
import { instanceFixtures, ownFixtures } from './fixtures/own'
import { recoveryFixtures } from './fixtures/recoveries'
import { repeatFixtures } from './fixtures/repeats'
import { savedViewFixtures } from './fixtures/saved-views'
import { settlementFixtures } from './fixtures/settlements'
import { syncFixtures } from './fixtures/sync'

/** How every route is called, by its name. */
export const fixtures: CallFixtures = {
  ...instanceFixtures,
  ...ownFixtures,
  ...captureFixtures,
  ...exportProfileFixtures,
  ...handoverFixtures,
  ...importFixtures,
  ...exportFixtures,
  ...organizationFixtures,
  ...expenseFixtures,
  ...settlementFixtures,
  ...conversationFixtures,
  ...accountabilityFixtures,
  ...notificationFixtures,
  ...syncFixtures,
  ...recoveryFixtures,
  ...repeatFixtures,
  ...approvalFixtures,
  ...exchangeRateFixtures,
  ...statementFixtures,
  ...savedViewFixtures,
  ...closingFixtures,
}

/** How a route is called. Throws when nobody has said that. */
export function fixtureOf({ name }: Pick<Route, 'name'>): CallFixture {
  const fixture = fixtures[name]
  if (!fixture) throw new Error(`Nobody knows who may call ${name}: say in test/support/permissions/fixtures how it is called.`)
  return fixture
}
