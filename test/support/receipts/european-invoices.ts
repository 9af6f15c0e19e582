/** What an invoice of EN 16931 says that is made for a test. */
export interface EuropeanParts {
  readonly number?: string
  readonly total?: string
  readonly currency?: string
  readonly type?: string
  readonly rounding?: string
}

/** An invoice as Factur-X, ZUGFeRD and XRechnung write it (CII). */
export function ciiInvoice({
  number = 'RE-2026/77',
  total = '119.00',
  currency = 'EUR',
  type = '380',
  rounding,
}: EuropeanParts = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?><rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
    xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
    <rsm:ExchangedDocument><ram:ID>${number}</ram:ID><ram:TypeCode>${type}</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20260104</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
    <rsm:SupplyChainTradeTransaction><ram:ApplicableHeaderTradeAgreement>
      <ram:SellerTradeParty><ram:Name>Hotel Adler GmbH</ram:Name><ram:PostalTradeAddress><ram:CityName>Berlin</ram:CityName></ram:PostalTradeAddress>
        <ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113/40209</ram:ID></ram:SpecifiedTaxRegistration><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE 123456789</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty>
      <ram:BuyerTradeParty><ram:Name>Buyer AG</ram:Name><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE987654321</ram:ID></ram:SpecifiedTaxRegistration></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>${currency}</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementHeaderMonetarySummation>
      <ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount>${rounding === undefined ? '' : `<ram:RoundingAmount>${rounding}</ram:RoundingAmount>`}<ram:GrandTotalAmount>${total}</ram:GrandTotalAmount>
      <ram:DuePayableAmount>0.00</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`
}

/** An invoice as Peppol BIS Billing writes it (UBL). */
export function ublInvoice({
  number = 'RE-2026/77',
  total = '119.00',
  currency = 'EUR',
  type = '380',
  rounding,
}: EuropeanParts = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
    xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
    <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>
    <cbc:ID>${number}</cbc:ID><cbc:IssueDate>2026-01-04</cbc:IssueDate><cbc:InvoiceTypeCode>${type}</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
    <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Adler</cbc:Name></cac:PartyName><cac:PostalAddress><cbc:CityName>Berlin</cbc:CityName></cac:PostalAddress>
      <cac:PartyTaxScheme><cbc:CompanyID>DE123456789</cbc:CompanyID></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Hotel Adler GmbH</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
    <cac:AccountingCustomerParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>DE987654321</cbc:CompanyID></cac:PartyTaxScheme></cac:Party></cac:AccountingCustomerParty>
    <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount currencyID="${currency}">100.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID="${currency}">${total}</cbc:TaxInclusiveAmount>
      ${rounding === undefined ? '' : `<cbc:PayableRoundingAmount currencyID="${currency}">${rounding}</cbc:PayableRoundingAmount>`}<cbc:PayableAmount currencyID="${currency}">0.00</cbc:PayableAmount></cac:LegalMonetaryTotal></Invoice>`
}
