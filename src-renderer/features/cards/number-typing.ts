const groupLength = 4
const mostDigits = 19

/** A card number while typing: its digits in groups of four, as on the card. */
export function groupDigits(text: string): string {
  const digits = text.replace(/\D/g, '').slice(0, mostDigits)
  return digits.replace(new RegExp(`(\\d{${groupLength}})(?=\\d)`, 'g'), '$1 ')
}

/** Groups a field's text while typing, the caret staying after the same digit. Returns the digits. */
export function groupWhileTyping(input: HTMLInputElement): string {
  const caret = input.selectionStart ?? input.value.length
  const digitsBefore = input.value.slice(0, caret).replace(/\D/g, '').length
  input.value = groupDigits(input.value)
  const at = groupDigits(input.value.replace(/\D/g, '').slice(0, digitsBefore)).length
  input.setSelectionRange(at, at)
  return input.value.replace(/\D/g, '')
}
