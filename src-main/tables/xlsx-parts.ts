/** The fixed parts of an Excel workbook (ECMA-376) as text; names and formats must be escaped. */
const start = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const ofPackage = 'http://schemas.openxmlformats.org/package/2006'
const typeOf = (part: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** The types of the parts. */
export function contentTypes(sheets: number): string {
  const parts = upTo(sheets).map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${typeOf('worksheet')}"/>`)
  return (
    `${start}<Types xmlns="${ofPackage}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Override PartName="/xl/workbook.xml" ContentType="${typeOf('sheet.main')}"/><Override PartName="/xl/styles.xml" ContentType="${typeOf('styles')}"/>${parts.join('')}</Types>`
  )
}

/** Links to the workbook. */
export const packageLinks = `${start}<Relationships xmlns="${ofPackage}/relationships"><Relationship Id="rId1" Type="${links}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

/** The sheets, by name. */
export function workbook(names: readonly string[]): string {
  const sheets = names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
  return `${start}<workbook xmlns="${main}" xmlns:r="${links}"><sheets>${sheets.join('')}</sheets></workbook>`
}

/** Links to the sheets and styles. */
export function workbookLinks(sheets: number): string {
  const each = upTo(sheets).map((n) => `<Relationship Id="rId${n}" Type="${links}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
  return `${start}<Relationships xmlns="${ofPackage}/relationships">${each.join('')}<Relationship Id="rId${sheets + 1}" Type="${links}/styles" Target="styles.xml"/></Relationships>`
}

/** The styles: 0 plain, 1 bold, then one for each number format. */
export function styleSheet(formats: readonly string[]): string {
  const numbers = formats.map((format, index) => `<numFmt numFmtId="${164 + index}" formatCode="${format}"/>`)
  const cells = formats.map(
    (_, index) => `<xf numFmtId="${164 + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  )
  return (
    `${start}<styleSheet xmlns="${main}">${formats.length > 0 ? `<numFmts count="${formats.length}">${numbers.join('')}</numFmts>` : ''}` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    `<cellXfs count="${formats.length + 2}"><xf xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/>${cells.join('')}</cellXfs></styleSheet>`
  )
}

/** The start of a sheet, before its rows: the first row stays visible. */
export function sheetStart(widths: readonly number[]): string {
  const columns = widths.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
  return (
    `${start}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>`
  )
}

/** The end of a sheet, after its last row. `range`: the cells that can be filtered, its first row being their titles. */
export const sheetEnd = (range: string) => `</sheetData><autoFilter ref="${range}"/></worksheet>`
