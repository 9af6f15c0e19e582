import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { guessColumnMap } from '#main/tables/column-map'
import { readTable, sampleRows } from '#main/tables/read-table'
import { detectFormat } from '#main/tables/table-format'
import { bytesSource } from '#main/tables/table-source'
import { readImport } from './import-support'

const bytes = readFileSync(new URL('../../db/fixtures/senate-2022-sample.csv', import.meta.url))
const source = bytesSource(bytes)

function toCents(amount: string): bigint {
  const [whole, fraction = ''] = amount.split('.')
  return BigInt(`${whole ?? ''}${fraction.padEnd(2, '0')}`)
}

describe('the Senate file as published', () => {
  test('its format is detected, the line above the header included', () => {
    expect(detectFormat(source)).toEqual({ encoding: 'windows-1252', delimiter: ';', header_line: 2, quote: '"' })
  })

  test('its columns are recognised without a map file', () => {
    const table = readTable(source)
    expect(guessColumnMap(table.headers, sampleRows(table))).toMatchObject({
      kind: 'mapped',
      columns: {
        receiver: 'SENADOR',
        tags: 'TIPO_DESPESA',
        occurred_at: 'DATA',
        amount: 'VALOR_REEMBOLSADO',
        external_id: 'COD_DOCUMENTO',
        supplier_name: 'FORNECEDOR',
        supplier_tax_id: 'CNPJ_CPF',
        description: ['{FORNECEDOR} ({CNPJ_CPF})', 'doc {DOCUMENTO}', 'DETALHAMENTO'],
      },
    })
  })

  test('every row is read, to the cent', () => {
    const { rows, problems } = readImport(bytes)
    expect(problems).toEqual([])
    expect(rows).toHaveLength(283)
    expect(rows.reduce((sum, row) => sum + toCents(row.amount), 0n)).toBe(55_411_504n)
    expect(new Set(rows.map((row) => row.receiver_name)).size).toBe(12)
    expect(new Set(rows.flatMap((row) => row.tag_names)).size).toBe(7)
    expect(new Set(rows.map((row) => row.external_id)).size).toBe(283)
    expect(rows.filter((row) => row.occurred_at.startsWith('2002'))).toHaveLength(4)
  })

  test('names, commas in a kind and characters Latin-1 lacks stay as published', () => {
    const row = readImport(bytes).rows.find(({ external_id }) => external_id === '2176494')
    expect(row).toMatchObject({
      line: 104,
      receiver_name: 'ELMANO FÉRRER',
      tag_names: ['Locomoção, hospedagem, alimentação, combustíveis e lubrificantes'],
      occurred_at: '2022-03-14',
      amount: '2323.18',
      supplier_name: 'LOCALIZA RENT A CAR S.A. - AEROPORTO DE TERESINA-PI',
      supplier_tax_id: '16.670.085/0199-21',
      description: expect.stringMatching(/^doc 121039 · .*Sênior – AP12/),
    })
  })

  test('an amount with nothing before its comma is cents', () => {
    expect(readImport(bytes).rows.find(({ external_id }) => external_id === '2179322')?.amount).toBe('0.01')
  })
})
