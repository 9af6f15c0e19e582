import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { i18n } from 'i18next'
import { Suspense } from 'react'
import { I18nextProvider } from 'react-i18next'
import { Route, Switch } from 'wouter'
import { openIdReturnPath } from '#shared/domain/doors/doors'
import { ApiError } from './api/client'
import { ReviewScreen } from './features/review/review-screen'
import { BareShell, Shell } from './shell'
import { cssVariables, theme } from './theme'
import { type Conversation, ConversationContext } from './records/conversation/conversation'
import type { DetailSlot } from './records/expense/detail-slot'
import { SkeletonRows } from './ui/feedback/skeleton-rows'
import { UnknownAddress } from './unknown-address'
import { onDemand } from './ui/panes/later'

// The review screen is where the program opens: it is not loaded after the rest.
const CaptureScreen = onDemand(async () => (await import('./features/capture/capture-screen')).CaptureScreen)
const QuickCapture = onDemand(async () => (await import('./features/capture/quick-capture')).QuickCapture)
const MyExpensesScreen = onDemand(async () => (await import('./features/expense/my-expenses-screen')).MyExpensesScreen)
const ExpenseScreen = onDemand(async () => (await import('./features/expense/expense-screen')).ExpenseScreen)
const ExpenseDetail = onDemand(async () => (await import('./features/expense/expense-detail')).ExpenseDetail)
const ReimbursementsScreen = onDemand(async () => (await import('./features/reimbursements/reimbursements-screen')).ReimbursementsScreen)
const PreExpensesScreen = onDemand(async () => (await import('./features/pre-expenses/pre-expenses-screen')).PreExpensesScreen)
const StatementsScreen = onDemand(async () => (await import('./features/statements/statements-screen')).StatementsScreen)
const CardsScreen = onDemand(async () => (await import('./features/cards/cards-screen')).CardsScreen)
const AccountabilitiesScreen = onDemand(
  async () => (await import('./features/accountabilities/accountabilities-screen')).AccountabilitiesScreen,
)
const AdvancesScreen = onDemand(async () => (await import('./features/advances/advances-screen')).AdvancesScreen)
const ReportsScreen = onDemand(async () => (await import('./features/reports/reports-screen')).ReportsScreen)
const ImportScreen = onDemand(async () => (await import('./features/import/import-screen')).ImportScreen)
const SettingsScreen = onDemand(async () => (await import('./features/settings/settings-screen')).SettingsScreen)
const AuditScreen = onDemand(async () => (await import('./features/settings/audit-screen')).AuditScreen)
const TeamScreen = onDemand(async () => (await import('./features/team/team-screen')).TeamScreen)
const TagsScreen = onDemand(async () => (await import('./features/tags/tags-screen')).TagsScreen)
const SuppliersScreen = onDemand(async () => (await import('./features/suppliers/suppliers-screen')).SuppliersScreen)
const ApprovalsScreen = onDemand(async () => (await import('./features/approvals/approvals-screen')).ApprovalsScreen)
const ExportProfilesScreen = onDemand(async () => (await import('./features/export-profiles/export-profiles-screen')).ExportProfilesScreen)
const HandoversScreen = onDemand(async () => (await import('./features/handovers/handovers-screen')).HandoversScreen)
const StandInsScreen = onDemand(async () => (await import('./features/approvals/stand-ins-screen')).StandInsScreen)
const ClosingsScreen = onDemand(async () => (await import('./features/closings/closings-screen')).ClosingsScreen)
const PoliciesScreen = onDemand(async () => (await import('./features/policies/policies-screen')).PoliciesScreen)
const WebhooksScreen = onDemand(async () => (await import('./features/webhooks/webhooks-screen')).WebhooksScreen)
const SyncScreen = onDemand(async () => (await import('./features/sync/sync-screen')).SyncScreen)
const RemoteSection = onDemand(async () => (await import('./features/sync/remote-section')).RemoteSection)
const OpenIdReturnScreen = onDemand(async () => (await import('./features/first-run/openid-return-screen')).OpenIdReturnScreen)
const SignInScreen = onDemand(async () => (await import('./features/first-run/sign-in-screen')).SignInScreen)
const JoinScreen = onDemand(async () => (await import('./features/first-run/join-screen')).JoinScreen)
const RecoveryNotice = onDemand(async () => (await import('./features/recovery/recovery-notice')).RecoveryNotice)
const WelcomeScreen = onDemand(async () => (await import('./features/first-run/welcome-screen')).WelcomeScreen)

const CommentsPanel = onDemand(async () => (await import('./features/conversation/comments-panel')).CommentsPanel)
const ActivityPanel = onDemand(async () => (await import('./features/conversation/activity-panel')).ActivityPanel)

const conversation: Conversation = {
  Comments: (props) => (
    <Suspense fallback={<SkeletonRows count={3} />}>
      <CommentsPanel {...props} />
    </Suspense>
  ),
  Activity: (props) => (
    <Suspense fallback={<SkeletonRows count={6} />}>
      <ActivityPanel {...props} />
    </Suspense>
  ),
}

const ReviewDetail: DetailSlot = ({ expenseId, onClose, command, notice }) => (
  <Suspense fallback={<SkeletonRows count={10} />}>
    <ExpenseDetail expenseId={expenseId} onClose={onClose} command={command} notice={notice} />
  </Suspense>
)

const colorSchemeManager = localStorageColorSchemeManager({ key: 'outlay.color-scheme' })

/** One query client per window. The server is local or near, and the change feed says what is stale: nothing is polled. */
export function createQueryClient(): QueryClient {
  // A form that is being sent knows it before the next click or key arrives: a second one must not send it twice.
  notifyManager.setScheduler(queueMicrotask)
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        networkMode: 'always',
        retry: isWorthRetrying,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** Once more, where the response may be another: what the server refused it refuses again, and without a network there is none until it is back. */
function isWorthRetrying(failureCount: number, error: Error): boolean {
  if (error instanceof ApiError && error.status === 0 && !navigator.onLine) return false
  return failureCount < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)
}

/** The whole interface: providers around the routes. The address says which screen, filter and expense is shown. */
export function App({ i18n, queryClient }: { i18n: i18n; queryClient: QueryClient }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={colorSchemeManager} defaultColorScheme="auto">
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <ConversationContext value={conversation}>
            <Routes />
          </ConversationContext>
        </QueryClientProvider>
      </I18nextProvider>
    </MantineProvider>
  )
}

function Routes() {
  return (
    <Switch>
      <Route path={openIdReturnPath}>
        <Suspense>
          <OpenIdReturnScreen />
        </Suspense>
      </Route>
      <Route path="/sign-in">
        <Suspense>
          <SignInScreen />
        </Suspense>
      </Route>
      <Route path="/join">
        <Suspense>
          <JoinScreen />
        </Suspense>
      </Route>
      <Route path="/welcome">
        <Suspense>
          <WelcomeScreen Recovered={RecoveryNotice} />
        </Suspense>
      </Route>
      <Route path="/quick-capture">
        <BareShell>
          <QuickCapture />
        </BareShell>
      </Route>
      <Route>
        <Shell>
          <Switch>
            <Route path="/review/:id?">{({ id }) => <ReviewScreen id={id} Detail={ReviewDetail} />}</Route>
            <Route path="/capture">
              <CaptureScreen />
            </Route>
            <Route path="/my-expenses">
              <MyExpensesScreen />
            </Route>
            <Route path="/expenses/:id">{({ id }) => <ExpenseScreen id={id} />}</Route>
            <Route path="/team/:id?">{({ id }) => <TeamScreen id={id} />}</Route>
            <Route path="/reimbursements/:id?">{({ id }) => <ReimbursementsScreen id={id} />}</Route>
            <Route path="/tags/:id?">{({ id }) => <TagsScreen id={id} />}</Route>
            <Route path="/suppliers/:id?">{({ id }) => <SuppliersScreen id={id} />}</Route>
            <Route path="/approvals/:id?">{({ id }) => <ApprovalsScreen id={id} />}</Route>
            <Route path="/stand-ins/:id?">{({ id }) => <StandInsScreen id={id} />}</Route>
            <Route path="/export-profiles/:id?">{({ id }) => <ExportProfilesScreen id={id} />}</Route>
            <Route path="/handovers/:id?">{({ id }) => <HandoversScreen id={id} />}</Route>
            <Route path="/closings/:id?">{({ id }) => <ClosingsScreen id={id} />}</Route>
            <Route path="/policies/:id?">{({ id }) => <PoliciesScreen id={id} />}</Route>
            <Route path="/webhooks/:id?">{({ id }) => <WebhooksScreen id={id} />}</Route>
            <Route path="/pre-expenses/:id?">{({ id }) => <PreExpensesScreen id={id} />}</Route>
            <Route path="/statements">
              <StatementsScreen />
            </Route>
            <Route path="/cards/:id?">{({ id }) => <CardsScreen id={id} />}</Route>
            <Route path="/accountabilities/:id?">{({ id }) => <AccountabilitiesScreen id={id} />}</Route>
            <Route path="/advances/:id?">{({ id }) => <AdvancesScreen id={id} />}</Route>
            <Route path="/reports">
              <ReportsScreen />
            </Route>
            <Route path="/import/:id?">{({ id }) => <ImportScreen id={id} />}</Route>
            <Route path="/settings/:part?">{({ part }) => <SettingsScreen part={part} remote={<RemoteSection />} />}</Route>
            <Route path="/audit">
              <AuditScreen />
            </Route>
            <Route path="/sync/:list?">{({ list }) => <SyncScreen list={list} />}</Route>
            <Route>
              <UnknownAddress />
            </Route>
          </Switch>
        </Shell>
      </Route>
    </Switch>
  )
}
