import type { Migration } from 'kysely/migration'
import { up as initial } from './migrations/0001-initial'
import { up as outgoing } from './migrations/0002-outgoing'
import { up as sync } from './migrations/0003-sync'
import { up as stagedParts } from './migrations/0004-staged-parts'
import { up as captures } from './migrations/0005-captures'
import { up as invoices } from './migrations/0006-invoices'
import { up as rowSums } from './migrations/0007-row-sums'
import { up as distanceRates } from './migrations/0008-distance-rates'
import { up as joinNotices } from './migrations/0009-join-notices'
import { up as expenseOrder } from './migrations/0010-expense-order'
import { up as languages } from './migrations/0011-languages'
import { up as preExpenseStates } from './migrations/0012-pre-expense-states'
import { up as suppliers } from './migrations/0013-suppliers'
import { up as separateDuties } from './migrations/0014-separate-duties'
import { up as policies } from './migrations/0015-policies'
import { up as policyTerms } from './migrations/0016-policy-terms'
import { up as repeats } from './migrations/0017-repeats'
import { up as reviewQueues } from './migrations/0018-review-queues'
import { up as approvals } from './migrations/0019-approvals'
import { up as savedViews } from './migrations/0020-saved-views'
import { up as invoiceFacts } from './migrations/0021-invoice-facts'
import { up as seals } from './migrations/0022-seals'
import { up as exchangeRates } from './migrations/0023-exchange-rates'
import { up as closings } from './migrations/0024-closings'
import { up as handovers } from './migrations/0025-handovers'
import { up as exportProfiles } from './migrations/0026-export-profiles'
import { up as erasing } from './migrations/0027-erasing'
import { up as codes } from './migrations/0028-codes'
import { up as receiptReadings } from './migrations/0029-receipt-readings'
import { up as receivedMails } from './migrations/0030-received-mails'
import { up as statements } from './migrations/0031-statements'
import { up as tokenScopes } from './migrations/0032-token-scopes'
import { up as supplierRegister } from './migrations/0033-supplier-register'
import { up as signInCodes } from './migrations/0034-sign-in-codes'
import { up as handoverMoments } from './migrations/0035-handover-moments'
import { up as saidByReceipts } from './migrations/0036-said-by-receipts'
import { up as doors } from './migrations/0037-doors'
import { up as replacedFiles } from './migrations/0038-replaced-files'
import { up as summaryOrder } from './migrations/0039-summary-order'
import { up as openid } from './migrations/0040-openid'
import { up as keptRates } from './migrations/from-0041/0041-kept-rates'
import { up as bookings } from './migrations/from-0041/0042-bookings'
import { up as distanceDays } from './migrations/from-0041/0043-distance-days'
import { up as supplierKeys } from './migrations/from-0041/0044-supplier-keys'
import { up as unfinishedStatements } from './migrations/from-0041/0045-unfinished-statements'
import { up as jobs } from './migrations/from-0041/0046-jobs'
import { up as statementAccounts } from './migrations/from-0041/0047-statement-accounts'
import { up as statementHistory } from './migrations/from-0041/0048-statement-history'
import { up as userNotifications } from './migrations/from-0041/0049-user-notifications'

/** Every migration by its number, in order. A released migration is frozen: it is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': { up: initial },
  '0002-outgoing': { up: outgoing },
  '0003-sync': { up: sync },
  '0004-staged-parts': { up: stagedParts },
  '0005-captures': { up: captures },
  '0006-invoices': { up: invoices },
  '0007-row-sums': { up: rowSums },
  '0008-distance-rates': { up: distanceRates },
  '0009-join-notices': { up: joinNotices },
  '0010-expense-order': { up: expenseOrder },
  '0011-languages': { up: languages },
  '0012-pre-expense-states': { up: preExpenseStates },
  '0013-suppliers': { up: suppliers },
  '0014-separate-duties': { up: separateDuties },
  '0015-policies': { up: policies },
  '0016-policy-terms': { up: policyTerms },
  '0017-repeats': { up: repeats },
  '0018-review-queues': { up: reviewQueues },
  '0019-approvals': { up: approvals },
  '0020-saved-views': { up: savedViews },
  '0021-invoice-facts': { up: invoiceFacts },
  '0022-seals': { up: seals },
  '0023-exchange-rates': { up: exchangeRates },
  '0024-closings': { up: closings },
  '0025-handovers': { up: handovers },
  '0026-export-profiles': { up: exportProfiles },
  '0027-erasing': { up: erasing },
  '0028-codes': { up: codes },
  '0029-receipt-readings': { up: receiptReadings },
  '0030-received-mails': { up: receivedMails },
  '0031-statements': { up: statements },
  '0032-token-scopes': { up: tokenScopes },
  '0033-supplier-register': { up: supplierRegister },
  '0034-sign-in-codes': { up: signInCodes },
  '0035-handover-moments': { up: handoverMoments },
  '0036-said-by-receipts': { up: saidByReceipts },
  '0037-doors': { up: doors },
  '0038-replaced-files': { up: replacedFiles },
  '0039-summary-order': { up: summaryOrder },
  '0040-openid': { up: openid },
  '0041-kept-rates': { up: keptRates },
  '0042-bookings': { up: bookings },
  '0043-distance-days': { up: distanceDays },
  '0044-supplier-keys': { up: supplierKeys },
  '0045-unfinished-statements': { up: unfinishedStatements },
  '0046-jobs': { up: jobs },
  '0047-statement-accounts': { up: statementAccounts },
  '0048-statement-history': { up: statementHistory },
  '0049-user-notifications': { up: userNotifications },
}
