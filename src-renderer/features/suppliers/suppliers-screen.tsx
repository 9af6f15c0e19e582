import { TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import type { SupplierRepresentation } from '#shared/contract/organization-records/suppliers'
import type { Tag } from '#shared/contract/tags'
import { currencyChoices } from '#shared/domain/currencies'
import { may } from '#shared/domain/permissions'
import { formatTaxId } from '#shared/domain/tax-ids'
import { supplier as definition } from '#shared/records/supplier'
import { useSupplierWrite, useSuppliers } from '../../api/readings/supplier-memory'
import { useTags } from '../../api/tags'
import { DeleteRecord } from '../../records/list-screen/delete-record'
import { ListScreen } from '../../records/list-screen/list-screen'
import { RecordForm, refusalOf, useStored } from '../../records/list-screen/record-form'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import { SearchSelect } from '../../ui/form/search-select'
import { useFormDraft } from '../../ui/form/use-form-draft'
import type { GridColumn, GridSort } from '../../ui/grid/grid-types'
import { containsEveryWord } from '../../ui/values/contains-every-word'

/** The suppliers of the organization. `id`: the supplier shown next to the list, or `new`. */
export function SuppliersScreen({ id }: { id: string | undefined }) {
  const membership = useMembership()
  const { t } = useTranslation('suppliers')
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  return <SupplierList key={membership.organization.id} id={id} membership={membership} />
}

type SupplierListProps = { id: string | undefined; membership: Session['memberships'][number] }

function SupplierList({ id, membership: { organization, role } }: SupplierListProps) {
  const { t } = useTranslation('suppliers')
  const all = useSuppliers(organization.id)
  const { data: tags = [] } = useTags(organization.id)
  const write = useSupplierWrite(organization.id)
  const canWrite = may('suppliers.write', { role })
  return (
    <ListScreen
      name="suppliers"
      exports="suppliers"
      id={id}
      canWrite={canWrite}
      all={all}
      columns={useSupplierColumns(tags)}
      arrange={arrangeSuppliers}
      renderNew={(onStored) => <SupplierForm organizationId={organization.id} tags={tags} onStored={onStored} />}
      renderDetail={(supplier, onDelete) => (
        <>
          {canWrite ? (
            <SupplierForm key={supplier.id} {...{ organizationId: organization.id, tags, supplier, onDelete }} onStored={() => undefined} />
          ) : (
            <>
              <p className="tabular">{[formatTaxId(supplier.tax_number), supplier.currency].filter(Boolean).join(' · ')}</p>
              <p>{t('detail.readOnly')}</p>
            </>
          )}
          {may('expenses.read', { role }) && <Link href={expensesAddress(supplier)}>{t('detail.expenses')}</Link>}
        </>
      )}
      renderDelete={(supplier, close) => (
        <DeleteRecord name="suppliers" record={supplier} write={write} {...close}>
          <p>{t('deleteText')}</p>
        </DeleteRecord>
      )}
    />
  )
}

/** The address of Review that lists the expenses with a supplier; its name has no comma. */
const expensesAddress = ({ name }: SupplierRepresentation) =>
  `/review?${new URLSearchParams({ queue: 'all', f: `supplier_name.is.${name}` }).toString()}`

/** The suppliers that a search leaves, by name or by tax number. */
function arrangeSuppliers(
  all: readonly SupplierRepresentation[],
  search: string,
  { columnId, direction }: GridSort,
): SupplierRepresentation[] {
  const sign = direction === 'descending' ? -1 : 1
  return all
    .filter(({ name, tax_number }) => containsEveryWord(`${name} ${tax_number} ${formatTaxId(tax_number)}`, search))
    .toSorted((a, b) => sign * (columnId === 'taxNumber' ? a.tax_number.localeCompare(b.tax_number) : a.name.localeCompare(b.name)))
}

function useSupplierColumns(tags: readonly Tag[]): GridColumn<SupplierRepresentation>[] {
  const { t } = useTranslation('suppliers')
  return useMemo(
    () => [
      { id: 'name', header: t('column.name'), width: 200, fill: true, fixed: true, isSortable: true, render: ({ name }) => name },
      { id: 'taxNumber', header: t('column.taxNumber'), width: 180, isSortable: true, render: ({ tax_number }) => formatTaxId(tax_number) },
      {
        id: 'tag',
        header: t('column.tag'),
        width: 160,
        yields: 1,
        render: ({ tag_id }) => tags.find(({ id }) => id === tag_id)?.name ?? '–',
      },
      { id: 'currency', header: t('column.currency'), width: 140, yields: 2, render: ({ currency }) => currency ?? '–' },
    ],
    [t, tags],
  )
}

/** What the form is given. `supplier` is absent for a new one. */
type SupplierFormProps = {
  organizationId: number
  tags: readonly Tag[]
  supplier?: SupplierRepresentation
  onStored: (supplier: SupplierRepresentation) => void
  onDelete?: () => void
}

function SupplierForm({ organizationId, tags, supplier, onStored, onDelete }: SupplierFormProps) {
  const { t } = useTranslation('suppliers')
  const draft = useFormDraft({
    form: supplier ? 'supplier-edit' : 'supplier-new',
    record: supplier?.id ?? organizationId,
    stored: {
      name: supplier?.name ?? '',
      taxNumber: formatTaxId(supplier?.tax_number ?? ''),
      currency: supplier?.currency ?? '',
      tag: String(tags.find(({ id }) => id === supplier?.tag_id)?.id ?? ''),
    },
  })
  const { name, taxNumber, currency, tag } = draft.value
  const [isAsked, setAsked] = useState(false)
  const write = useSupplierWrite(organizationId)
  const stored = useStored({ name: 'suppliers', draft, record: supplier, onStored })
  const submit = () => {
    setAsked(true)
    if (name.trim() === '' || taxNumber.trim() === '') return
    const fields = { name: name.trim(), tax_number: taxNumber.trim(), currency: currency || null, tag_id: tag === '' ? null : Number(tag) }
    write.mutate(supplier ? { kind: 'change', record: supplier, fields } : { kind: 'create', fields }, stored)
  }
  const errorOf = (text: string, attribute: string) => (isAsked && text.trim() === '' ? t('blank') : refusalOf(write.error, attribute))
  const required = { required: true, withAsterisk: false } as const
  return (
    <RecordForm
      name="suppliers"
      draft={draft}
      attributes={Object.keys(definition.attributes)}
      words={{
        name: (field) => t(`detail.${field}`),
        value: (field, value) => (field === 'tag' ? tags.find(({ id }) => String(id) === value)?.name : undefined),
      }}
      {...{ error: write.error, isPending: write.isPending, isNew: !supplier, onSubmit: submit, onDelete }}
    >
      <TextInput
        {...required}
        label={t('detail.name')}
        value={name}
        onChange={(event) => draft.change({ name: event.currentTarget.value })}
        maxLength={definition.attributes.name.longest}
        autoFocus={!supplier}
        error={errorOf(name, 'name')}
      />
      <TextInput
        {...required}
        label={t('detail.taxNumber')}
        description={t('detail.taxNumberHint')}
        value={taxNumber}
        onChange={(event) => draft.change({ taxNumber: event.currentTarget.value })}
        maxLength={definition.attributes.tax_number.longest}
        error={errorOf(taxNumber, 'tax_number')}
      />
      <SearchSelect
        label={t('detail.tag')}
        value={tag}
        onChange={(value) => draft.change({ tag: value })}
        data={[{ value: '', label: t('detail.none') }, ...tags.map(({ id, name: label }) => ({ value: String(id), label }))]}
        error={refusalOf(write.error, 'tag_id')}
      />
      <SearchSelect
        label={t('detail.currency')}
        value={currency}
        onChange={(value) => draft.change({ currency: value })}
        data={[{ value: '', label: t('detail.none') }, ...currencyChoices(currency || undefined)]}
        error={refusalOf(write.error, 'currency')}
      />
    </RecordForm>
  )
}
