/** A layout with one column, as JSON. */
export const plainLayout = JSON.stringify({
  ...{ separator: ';', decimal: ',', days: 'dd/mm/yyyy', encoding: 'utf-8', isQuoted: false, hasHeader: true, otherwise: '' },
  columns: [{ kind: 'attribute', name: 'Amount', attribute: 'amount' }],
  codes: { tag: {}, claimant: {} },
})
