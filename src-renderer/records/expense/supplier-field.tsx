import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findSupplierTaxId, useSupplierOffers } from '../../api/expenses'

/** Offers are looked up once someone stops typing for so long. */
const pauseMs = 150

type Supplier = { readonly supplier_name: string; readonly supplier_tax_id: string }

/** Who was paid; suppliers of earlier expenses are offered, and bring their tax number where none is typed. */
export function SupplierField({
  supplier,
  organizationId,
  error,
  isDisabled,
  onChange,
}: {
  supplier: Supplier
  organizationId: number | null
  error: string | undefined
  isDisabled?: boolean
  onChange: (part: Partial<Supplier>) => void
}) {
  const { t } = useTranslation('expense')
  const [isFocused, setFocused] = useState(false)
  const [typed] = useDebouncedValue(supplier.supplier_name, pauseMs)
  const offers = useSupplierOffers(organizationId, typed, isFocused)
  const latest = useRef(supplier)
  useEffect(() => {
    latest.current = supplier
  }, [supplier])
  const take = async (supplier_name: string) => {
    onChange({ supplier_name })
    if (organizationId === null || supplier.supplier_tax_id !== '') return
    const supplier_tax_id = await findSupplierTaxId(
      organizationId,
      offers.flatMap(({ name, key }) => (name === supplier_name ? [key] : [])),
    ).catch(() => undefined)
    const isStill = latest.current.supplier_name === supplier_name && latest.current.supplier_tax_id === ''
    if (supplier_tax_id !== undefined && isStill) onChange({ supplier_tax_id })
  }
  return (
    <Autocomplete
      size="xs"
      label={t('fields.supplier_name')}
      value={supplier.supplier_name}
      onChange={(supplier_name) => onChange({ supplier_name })}
      onOptionSubmit={(supplier_name) => void take(supplier_name)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      data={[...new Set(offers.map(({ name }) => name))]}
      // The server found them, also inside words and without accents.
      filter={({ options }) => options}
      error={error}
      disabled={isDisabled}
      data-field="supplier_name"
    />
  )
}
