import { Checkbox, UnstyledButton } from '@mantine/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { may } from '#shared/domain/permissions'
import classes from './capture.module.css'
import { type FieldProps, Marked, PlaceField, PlainTextField, ReceiverField } from './form-fields'

const attributes = ['receiver', 'location', 'supplier_tax_id'] as const

/** The fields that are rarely used, behind one line that says what they hold; shown where one of them has what has to be seen. */
export function MoreFields({
  isShown,
  onShow,
  session,
  places,
  errorOf,
  marks,
  ...field
}: Omit<FieldProps, 'error'> & {
  isShown: boolean
  onShow: (isShown: boolean) => void
  session: Session
  places: readonly string[]
  errorOf: (attribute: string) => string | undefined
  /** What receipts say of the tax number. */
  marks: ReactNode
}) {
  const { t } = useTranslation('capture')
  const { form, change, isDisabled } = field
  const role = session.memberships.find(({ organization }) => organization.id === form.payer_id)?.role
  const isNeeded = form.receiver_id !== null || form.advancement || attributes.some((attribute) => errorOf(attribute) !== undefined)
  const held = [form.location, form.supplier_tax_id].filter((text) => text.trim() !== '')
  const Chevron = isShown ? ChevronDown : ChevronRight
  return (
    <>
      {!isNeeded && (
        <div className={classes.more}>
          <UnstyledButton className={classes.moreToggle} aria-expanded={isShown} onClick={() => onShow(!isShown)}>
            <Chevron size={14} aria-hidden /> {t('more')}
          </UnstyledButton>
          {!isShown && (
            <>
              <span className={classes.held}>{held.join(' · ')}</span>
              {marks}
            </>
          )}
        </div>
      )}
      {(isShown || isNeeded) && (
        <>
          {may('expenses.create_for_others', { role }) && <ReceiverField {...field} user={session.user} error={errorOf('receiver')} />}
          {form.kind === 'monetary' && <PlaceField {...field} name="location" places={places} error={errorOf('location')} />}
          <Marked marks={marks}>
            <PlainTextField {...field} name="supplier_tax_id" error={errorOf('supplier_tax_id')} />
          </Marked>
          <Checkbox
            label={t('field.advancement')}
            checked={form.advancement}
            disabled={isDisabled}
            onChange={(event) => change({ advancement: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  )
}
