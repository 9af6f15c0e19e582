/** What a column of an imported file can become. */
export type ColumnField =
  'receiver' | 'receiver_email' | 'tags' | 'occurred_at' | 'amount' | 'currency' | 'location' | 'external_id'

/** What a column can add to a description. */
export type DescriptionPart = 'supplier' | 'tax_number' | 'document' | 'detail'

/**
 * Column names by what they mean, English and Portuguese, most telling first, as `toHeaderWords` writes them.
 * Fields are looked for in this order and a column is used once, so the narrow ones come first.
 */
export const HEADER_WORDS: Record<ColumnField, readonly string[]> = {
  external_id: ['uid', 'external id', 'cod documento', 'codigo do documento', 'codigo', 'reference', 'id'],
  receiver_email: ['receiver email', 'claimant email', 'employee email', 'email', 'e mail'],
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
    'name',
    'nome',
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
    'dia',
  ],
  amount: [
    'amount',
    'valor reembolsado',
    'valor da despesa',
    'valor liquido',
    'valor',
    'total',
    'value',
    'price',
    'quantia',
    'montante',
  ],
  currency: ['currency', 'currency code', 'moeda'],
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
    'type',
    'tipo',
  ],
  location: ['location', 'place', 'city', 'local', 'localizacao', 'localidade', 'cidade', 'municipio'],
}

/** Tag columns whose name is plural hold several names, separated by commas. */
export const MANY_TAGS_WORDS: readonly string[] = ['tags', 'etiquetas', 'marcadores']

/** As `HEADER_WORDS`, for the columns that together make a description. */
export const DESCRIPTION_WORDS: Record<DescriptionPart, readonly string[]> = {
  supplier: ['supplier', 'supplier name', 'vendor', 'merchant', 'payee', 'fornecedor', 'estabelecimento', 'razao social'],
  tax_number: ['cnpj cpf', 'cpf cnpj', 'cnpj', 'cpf', 'tax number', 'tax id', 'vat number'],
  document: [
    'document',
    'document number',
    'invoice',
    'invoice number',
    'receipt number',
    'documento',
    'numero do documento',
    'nota fiscal',
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
