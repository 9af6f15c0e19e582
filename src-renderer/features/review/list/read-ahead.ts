import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contract/instance/instance'
import { urlOfExpensePage } from '#renderer/api/expenses'
import { noteFirstRequest } from '#renderer/api/early/early'
import { usePreferences } from '#renderer/state/preferences'
import { chosenMembership } from '../review-caller'
import { parseView, toApiSort, toListFilter } from '#renderer/records/filters/review-view'
import { readPageAhead } from './expense-reading'

/** Asks for the first rows of a review screen that is about to be drawn; `search`: of its address. */
export async function readAhead(client: QueryClient, session: Session, search: string): Promise<void> {
  const view = parseView(search)
  const organizationId = chosenMembership(session, usePreferences.getState().organizationId)?.organization.id ?? null
  const query = { filter: toListFilter(view, organizationId), sort: toApiSort(view.sort), page: 1 }
  noteFirstRequest(urlOfExpensePage(query))
  await readPageAhead(client, query)
}
