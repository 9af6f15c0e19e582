/** Whom an expense paid, and what for. */
export interface Purchase {
  readonly supplier_name?: string | null | undefined
  readonly supplier_tax_id?: string | null | undefined
  readonly description?: string | null | undefined
}

/** What parts a supplier from what was bought; nothing follows, or a sign. */
const parted = /^(?:\s*$|\s*[·–—,;:]\s*|\s+-\s+)/u

/** What an expense was for: its description without the supplier and the tax number that it begins with, as imports wrote it; blank where it says nothing else. */
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

/** What lists call an expense: what it was for, else whom it paid; undefined where nothing says either. */
export function titleOf(purchase: Purchase): string | undefined {
  return purposeOf(purchase) || purchase.supplier_name || undefined
}
