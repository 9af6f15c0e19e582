/** The supplier and purpose of an expense. */
export interface Purchase {
  readonly supplier_name?: string | null | undefined
  readonly supplier_tax_id?: string | null | undefined
  readonly description?: string | null | undefined
}

/** Separates the supplier from the purchase: the end, or a sign. */
const parted = /^(?:\s*$|\s*[·–—,;:]\s*|\s+-\s+)/u

/**
 * The purpose of an expense: its description without the supplier and tax number at its beginning, as imports wrote it; blank if there is nothing
 * else.
 */
export function purposeOf({ supplier_name, supplier_tax_id, description }: Purchase): string {
  const [supplier, number, text] = [supplier_name, supplier_tax_id, description].map((one) => (one ?? '').trim())
  const both = supplier && number ? [`${supplier} (${number})`, `${supplier} ${number}`] : []
  for (const head of [...both, supplier, number]) {
    if (!head || text?.slice(0, head.length).toLowerCase() !== head.toLowerCase()) continue
    const [end] = parted.exec(text.slice(head.length)) ?? []
    if (end !== undefined) return text.slice(head.length + end.length)
  }
  return text ?? ''
}

/** The title of an expense in lists: its purpose, otherwise its supplier; undefined if it has neither. */
export function titleOf(purchase: Purchase): string | undefined {
  return purposeOf(purchase) || purchase.supplier_name || undefined
}

/** What an expense is called where there is room for both: its supplier, then its purpose. Without a supplier its purpose is the title. */
export function headOf(purchase: Purchase): { readonly title: string | undefined; readonly purpose: string } {
  const purpose = purposeOf(purchase)
  const supplier = purchase.supplier_name?.trim()
  return supplier ? { title: supplier, purpose } : { title: purpose || undefined, purpose: '' }
}
