import type { DraftForm } from '../../state/draft'

/** What an electronic invoice says of an expense; what it does not say is left out. */
export type InvoiceValues = Partial<Pick<DraftForm, 'amount' | 'currency' | 'date' | 'description' | 'location'>>

const largestBytes = 2_000_000

/** Reads a Brazilian electronic invoice (NF-e or NFC-e): its total, day, seller and the seller's town. Empty for any other file. */
export async function readInvoice(file: File, language: 'en' | 'pt'): Promise<InvoiceValues> {
  if (!file.type.endsWith('xml') || file.size > largestBytes) return {}
  const xml = new DOMParser().parseFromString(await file.text(), 'application/xml')
  const text = (path: readonly string[]) =>
    path
      .reduce<Element | undefined>((inside, name) => inside?.getElementsByTagNameNS('*', name)[0], xml.documentElement)
      ?.textContent?.trim() ?? ''
  if (text(['infNFe']) === '') return {}
  const amount = text(['ICMSTot', 'vNF'])
  const day = (text(['ide', 'dhEmi']) || text(['ide', 'dEmi'])).slice(0, 10)
  const seller = text(['emit', 'xFant']) || text(['emit', 'xNome'])
  const town = [text(['enderEmit', 'xMun']), text(['enderEmit', 'UF'])].filter((part) => part !== '').join(', ')
  return {
    ...(/^\d+(\.\d{1,2})?$/.test(amount)
      ? { amount: language === 'pt' ? amount.replace('.', ',') : amount, currency: 'BRL' }
      : {}),
    ...(/^\d{4}-\d\d-\d\d$/.test(day) ? { date: day } : {}),
    ...(seller === '' ? {} : { description: seller }),
    ...(town === '' ? {} : { location: town }),
  }
}

/** The form with the values put into fields that are empty, and the names of those fields. */
export function fillEmpty(form: DraftForm, values: InvoiceValues): { form: DraftForm; filled: string[] } {
  const names = (['amount', 'date', 'description', 'location'] as const).filter(
    (name) => form[name].trim() === '' && values[name] !== undefined,
  )
  const filled = Object.fromEntries(names.map((name) => [name, values[name]]))
  const currency = names.includes('amount') ? { currency: values.currency ?? form.currency } : {}
  return { form: { ...form, ...filled, ...currency }, filled: names }
}
