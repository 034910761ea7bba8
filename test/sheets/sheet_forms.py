"""Headers of files that programs and banks publish, with rows made up: what each column holds, by the names of payment().

A source is beside each form. `set` is what a person says for all rows, `wants` which header fills a column where several could.
"""

CSV, SEMICOLONS, TAB = ",", ";", "\t"

# name: (source, delimiter, encoding, number and date form, {header: what it holds}, options)
FORMS = {
    "wise": (
        "wise.com/help/articles/2663302, How do I fill in my batch template",
        CSV, "utf-8", "iso",
        {"name": "name", "recipientEmail": "mail", "paymentReference": "reference", "receiverType": "=Business",
         "amountCurrency": "=target", "amount": "amount", "sourceCurrency": "=USD", "targetCurrency": "currency", "IBAN": "iban"},
        {},
    ),
    "revolut": (
        "developer.revolut.com, Work with draft payments",
        CSV, "utf-8", "iso",
        {"Name": "name", "Recipient type": "=Company", "Account number": "=", "Sort code or Routing number": "=", "IBAN": "iban",
         "BIC": "bic", "Recipient bank country": "country", "Currency": "currency", "Amount": "amount",
         "Payment reference": "reference", "Recipient country": "country", "State or province": "=",
         "Address line 1": "street", "Address line 2": "=", "City": "city", "Postal code": "postcode"},
        {},
    ),
    "qonto": (
        "help.qonto.com, article 4359550",
        CSV, "utf-8", "iso",
        {"beneficiary_name": "name", "iban": "iban", "amount": "amount", "currency": "currency", "reference": "reference"}, {},
    ),
    "telleroo": (
        "help.telleroo.com, article 2946379, Telleroo CSV format",
        CSV, "utf-8", "iso",
        {"amount_pounds": "amount", "recipient_name": "name", "account_no": "account", "sort_code": "sort", "reference": "reference"},
        {"country": "GB", "currency": "GBP"},
    ),
    "paypal-payouts": (
        "docs.paypal.ai/send/use-web-ui: no header, and wallets instead of bank accounts",
        CSV, "utf-8", "iso",
        {"1": "mail", "2": "amount", "3": "currency", "4": "invoice", "5": "reference", "6": "=PAYPAL"},
        {"headless": True, "refused": True},
    ),
    "3s-money": (
        "3s.money/help-centre, How do I send batch payments",
        CSV, "utf-8", "iso",
        {"payment type": "=business", "company": "name", "title": "=", "name": "=", "lname": "=", "house": "=", "address1": "street",
         "address2": "=", "address3": "=", "town": "city", "county": "=", "postcode": "postcode", "country": "country",
         "telephone": "=", "mobile": "=", "email": "mail", "gender": "=", "dob": "=", "idtype1": "=", "idnumber1": "=",
         "idtype2": "=", "idnumber2": "=", "bank-name": "bank", "bank-address": "=", "bank-country": "country", "swift": "bic",
         "bank-code": "=", "bank-key": "=", "sort-code": "=", "holding-branch": "=", "branch-code": "=", "account-name": "name",
         "account-number": "=", "account-type": "=", "iban": "iban", "amount": "amount", "account-fees": "=SHA",
         "reference": "reference", "purpose": "=SUPP", "transaction-id": "invoice"},
        {"constants": {"buy_currency": "EUR"}},
    ),
    "centtrip": (
        "support.centtrip.com/faqs, one-time bulk payment template",
        CSV, "utf-8", "iso",
        {"Amount": "amount", "Reason": "=Goods", "Reference": "reference", "CountryCode": "country", "CurrencyCode": "currency",
         "FirstName": "=", "LastName": "=", "CompanyName": "name", "Address1": "street", "City": "city", "Postcode": "postcode",
         "State": "=", "AccountNumber": "=", "IBAN": "iban", "SWIFT/BIC": "bic", "ABA": "=", "Sort Code": "="},
        {},
    ),
    "ripple": (
        "docs.ripple.com/products/payments-direct, Batch payment file (EUR and GBP)",
        CSV, "utf-8", "iso",
        {"Beneficiary Nickname": "invoice", "Beneficiary Name": "name", "Quote Type": "=Receiving Amount", "Amount": "amount",
         "Payment Currency": "currency", "Payout Currency": "currency", "IBAN": "iban"},
        {"wants": {"row_ref": ["Beneficiary Nickname"], "buy_currency": ["Payout Currency"]}},
    ),
    "datev": (
        "DATEV format, debtors and creditors and Belegfeld 1",
        SEMICOLONS, "cp1252", "de",
        {"Konto": "number", "Name (Adressattyp Unternehmen)": "name", "Belegfeld 1": "invoice", "Rechnungsdatum": "date",
         "Fälligkeit": "due", "Umsatz": "amount", "WKZ Umsatz": "currency", "IBAN-Nr. 1": "iban", "SWIFT-Code 1": "bic",
         "Bankbezeichnung 1": "bank", "Land": "country", "Postleitzahl": "postcode", "Ort": "city", "Straße": "street"},
        {},
    ),
    "windata": (
        "windata, Datensatzbeschreibung Zahlungen.CSV",
        SEMICOLONS, "cp1252", "de",
        {"AG Name": "=Eigene GmbH", "AG KontoNr bzw. IBAN": "=DE02120300000000202051", "AG BLZ bzw. BIC": "=BYLADEM1001",
         "Beg/Zahlpfl Name": "name", "Beg/Zahlpfl Name2": "=", "Beg/Zahlpfl Strasse": "street", "Beg/Zahlpfl KontoNr bzw. IBAN": "iban",
         "Beg/Zahlpfl BLZ bzw. BIC": "bic", "Betrag": "amount", "Währung": "currency", "Textschlüssel bzw. Zahlart": "=51",
         "Termin": "due", "VWZ1": "reference", "Ref-ID": "invoice"},
        {},
    ),
    "sap": (
        "SAP, vendor line items (FBL1N) exported to a local file",
        TAB, "utf-16", "de",
        {"CoCd": "=1000", "Vendor": "number", "Name 1": "name", "DocumentNo": "invoice", "Reference": "reference", "Doc. Date": "date",
         "Net due dt": "due", "Amount in DC": "amount", "Curr.": "currency", "Amt.in loc.cur.": "amount", "LCurr": "=EUR",
         "IBAN": "iban", "SWIFT/BIC": "bic", "Ctry": "country"},
        {},
    ),
    "sage-50": (
        "Sage 50, supplier record fields, with the amount of an aged report",
        CSV, "cp1252", "uk",
        {"A/C": "number", "Name": "name", "Address Line 1": "street", "Address Line 2": "=Leeds", "Contact Name": "=", "Balance": "amount",
         "BANK_NAME": "bank", "BANK_ACCOUNT_NAME": "name", "BANK_SORT_CODE": "sort", "BANK_ACCOUNT_NUMBER": "account",
         "BACS_REFERENCE": "reference", "CURRENCY": "currency", "COUNTRY_CODE": "country"},
        {"country": "GB", "currency": "GBP", "wants": {"amount": ["Balance"], "row_ref": ["A/C"]}},
    ),
    "xero": (
        "Xero, template of bills, with the bank account of the contact",
        CSV, "utf-8-sig", "uk",
        {"*ContactName": "name", "EmailAddress": "mail", "POAddressLine1": "street", "POCity": "city", "POPostalCode": "postcode",
         "POCountry": "country", "*InvoiceNumber": "invoice", "*InvoiceDate": "date", "*DueDate": "due", "Total": "amount",
         "InvoiceAmountPaid": "=0.00", "InvoiceAmountDue": "amount", "Currency": "currency", "BankAccountNumber": "account"},
        {"country": "GB", "currency": "GBP", "no_sort": True},
    ),
    "quickbooks-bills": (
        "QuickBooks Online, report of unpaid bills: no bank accounts",
        CSV, "utf-8", "us",
        {"Date": "date", "Transaction type": "=Bill", "Num": "invoice", "Vendor": "name", "Due date": "due", "Past due": "=-6",
         "Amount": "amount", "Open balance": "amount"},
        {"title": ["Unpaid Bills Report", "Sample Company"], "total": "TOTAL", "constants": {"buy_currency": "USD"}, "no_account": True},
    ),
    "odoo-bills": (
        "Odoo, labels of fields of account.move, of which people choose some: addons/account/models/account_move.py",
        CSV, "utf-8", "iso",
        {"Number": "invoice", "Invoice Partner Display Name": "name", "Invoice/Bill Date": "date", "Due Date": "due",
         "Payment Reference": "reference", "Untaxed Amount": "half", "Total": "amount", "Currency": "currency",
         "Recipient Bank": "iban_bank", "Payment Status": "=Not Paid", "Status": "=Posted"},
        {},
    ),
    "exact-online": (
        "Exact Online, fields of the payables list: start.exactonline.nl/docs/HlpRestAPIResourcesDetails.aspx?name=ReadFinancialPayablesList,"
        " with the account of the supplier, which it has not",
        SEMICOLONS, "utf-8-sig", "de",
        {"HID": "number", "AccountCode": "number", "AccountName": "name", "Amount": "amount", "AmountInTransit": "=0,00", "ApprovalStatus": "=0",
         "CurrencyCode": "currency", "Description": "reference", "DueDate": "due", "EntryNumber": "entry", "InvoiceDate": "date",
         "InvoiceNumber": "invoice", "JournalCode": "=70", "JournalDescription": "=Inkoop", "Notes": "=", "YourRef": "reference", "IBAN": "iban"},
        {},
    ),
    "atlar": (
        "docs.atlar.com/docs/batch-payments, credit transfer batch",
        CSV, "utf-8", "iso",
        {"amount.currency": "currency", "amount.stringValue": "amount", "destination.type": "=INLINE",
         "destination.market": "country", "destination.holder.legalName": "name", "destination.identifier.type": "=IBAN",
         "destination.identifier.market": "country", "destination.identifier.number": "iban", "reference": "reference"},
        {"wants": {"buy_currency": ["amount.currency"]}},
    ),
}
