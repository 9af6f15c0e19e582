import { type ImportedText, expense } from '#shared/records/expense'

/** The possible meanings of an imported column. */
export type ColumnField = 'receiver' | 'receiver_email' | 'tags' | 'occurred_at' | 'amount' | 'currency' | 'external_id' | ImportedText

/** What a column can add to a description. */
export type DescriptionPart = 'supplier' | 'tax_number' | 'document' | 'detail'

const ownWords: Readonly<Record<Exclude<ColumnField, ImportedText>, readonly string[]>> = {
  external_id: [
    'uid',
    'external id',
    'cod documento',
    'codigo do documento',
    'codigo del documento',
    'codigo',
    'reference',
    'referencia',
    'id',
  ],
  receiver_email: ['receiver email', 'claimant email', 'employee email', 'email', 'e mail', 'correo electronico', 'correo'],
  receiver: [
    'receiver',
    'claimant',
    'employee',
    'employee name',
    'member',
    'person',
    'full name',
    'recebedor',
    'beneficiario',
    'solicitante',
    'colaborador',
    'funcionario',
    'favorecido',
    'senador',
    'parlamentar',
    'deputado',
    'empleado',
    'nombre del empleado',
    'persona',
    'nombre completo',
    'name',
    'nome',
    'nombre',
  ],
  occurred_at: [
    'occurred at',
    'occurred on',
    'expense date',
    'date of expense',
    'transaction date',
    'date',
    'day',
    'data da despesa',
    'data despesa',
    'data do documento',
    'data emissao',
    'data de emissao',
    'data',
    'fecha del gasto',
    'fecha gasto',
    'fecha del documento',
    'fecha de emision',
    'fecha',
    'dia',
  ],
  amount: [
    'amount',
    'valor reembolsado',
    'valor da despesa',
    'valor liquido',
    'valor',
    'importe',
    'monto',
    'total',
    'value',
    'price',
    'quantia',
    'montante',
  ],
  currency: ['currency', 'currency code', 'moeda', 'moneda', 'divisa'],
  tags: [
    'tags',
    'tag',
    'etiquetas',
    'etiqueta',
    'marcadores',
    'category',
    'expense type',
    'type of expense',
    'categoria',
    'tipo despesa',
    'tipo de despesa',
    'tipo de gasto',
    'type',
    'tipo',
  ],
}

/**
 * Column names by meaning in English, Portuguese and Spanish, most specific first, in the form of `toHeaderWords`. Fields are matched in this order
 * and a column is used once, so specific ones come first.
 */
export function headerWordsOf(field: ColumnField): readonly string[] {
  return isOwn(field) ? ownWords[field] : expense.attributes[field].importedFrom
}

const isOwn = (field: ColumnField): field is keyof typeof ownWords => Object.hasOwn(ownWords, field)

/** Tag columns with a plural name hold several names, separated by commas. */
export const MANY_TAGS_WORDS: readonly string[] = ['tags', 'etiquetas', 'marcadores']

/** Like `HEADER_WORDS`, for the columns that together form a description. */
export const DESCRIPTION_WORDS: Record<DescriptionPart, readonly string[]> = {
  supplier: expense.attributes.supplier_name.importedFrom,
  tax_number: expense.attributes.supplier_tax_id.importedFrom,
  document: [
    'document',
    'document number',
    'invoice',
    'invoice number',
    'receipt number',
    'documento',
    'numero do documento',
    'nota fiscal',
    'factura',
    'numero de factura',
    'numero del documento',
  ],
  detail: [
    'description',
    'detail',
    'details',
    'memo',
    'notes',
    'note',
    'purpose',
    'descricao',
    'detalhamento',
    'detalhes',
    'historico',
    'observacao',
    'observacoes',
    'motivo',
    'descripcion',
    'concepto',
    'detalle',
    'detalles',
    'observaciones',
    'notas',
  ],
}

/** A column name without case, accents and punctuation: `TIPO_DESPESA` → `tipo despesa`. */
export function toHeaderWords(header: string): string {
  return header
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}
