import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
const catalogue = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))

/** Errors whose English text says what to do. A new one is looked at before it is named here. */
const clear = new Set(
  `fields.not_a_number fields.taken fields.greater_than fields.too_many_operations fields.too_many fields.too_long fields.too_precise
    fields.unknown_filter fields.filter_value fields.search_limits fields.ambiguous_name fields.not_a_member fields.restricted_tag
    fields.unknown_tag fields.last_admin fields.not_approved fields.joined_expenses fields.mixed_currencies fields.user_missing
    fields.other_payer fields.in_accountability fields.already_liquidated fields.decided fields.fixed fields.above_approved fields.above_line fields.closed_line
    fields.ends_before_start fields.is_past fields.same_person fields.not_an_approver fields.not_a_reviewer fields.is_away
    fields.stands_in fields.not_for_condition fields.closed_month fields.is_fixed fields.already_reopened fields.not_over
    fields.not_closed edit_in_review edit_approved no_recovery_codes openid_erased authority second_look closed_month reopen_first
    replica_needs_file takes_too_long.date takes_too_long.status takes_too_long.words stale_since.other stale_since.other_something
    stale_since.own stale_since.own_something user_agent not_an_object method idempotency_too_long idempotency_running
    idempotency_other expense_in_use decided_in_review ruled_tag closed_tag approval_outlived converted_pre_expense
    ignored_pre_expense already_set_up batch_atomic offer_expenses_first stopping database_away.unchanged sync_blob remote.too_old
    remote.other_remote remote.secret_locked is_replica capture.type capture.empty capture.malformed capture.timed_out
    import.on_replica import.too_large import.too_many import.begun import.no_room import.takes_too_long sealed_at_remote
    fields.withdrawn_currency fields.sort fields.not_joinable fields.never_holds limited_token no_passkeys openid_over cut_request database_away.unknown capture.not_usable`.split(
    /\s+/,
  ),
)

/** Every text of the API's refusals in English, by its key. */
function listTexts(): Array<[key: string, text: string]> {
  const file = readFileSync(join(root, 'src-shared/i18n/en/errors.json'), 'utf8')
  return Object.entries(catalogue.parse(JSON.parse(file))).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text]] : Object.entries(text).map(([code, own]) => [`${key}.${code}`, own]),
  )
}

test('every error text of the API is in the catalogue with what to do, unless it says so itself', () => {
  const texts = listTexts()
  const hasAdvice = (text: string) => rows.some((cells) => cells.includes(text) && (cells[cells.indexOf(text) + 1] ?? '') !== '')
  expect(texts.length).toBeGreaterThan(150)
  expect(texts.filter(([key, text]) => !hasAdvice(text) && !clear.has(key))).toEqual([])
  expect([...clear].filter((key) => !texts.some(([known]) => known === key))).toEqual([])
})
