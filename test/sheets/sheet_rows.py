"""Payments that are made up, and how people write numbers, dates and headers in six languages."""
import datetime

IBANS = {  # valid check digits; of the examples that the registers of IBANs publish
    "DE": "DE89370400440532013000", "FR": "FR1420041010050500013M02606", "ES": "ES9121000418450200051332",
    "IT": "IT60X0542811101000000123456", "PL": "PL61109010140000071219812874", "GB": "GB29NWBK60161331926819",
}
BICS = {"DE": "COBADEFFXXX", "FR": "BNPAFRPP", "ES": "CAIXESBB", "IT": "BCITITMM", "PL": "WBKPPLPP", "GB": "NWBKGB2L"}
NAMES = {
    "de": ["Müller & Söhne GmbH", "Straßenbau Ost AG", "Käserei Grün OHG", "Ölmühle Süd KG"],
    "fr": ["Boulangerie de l’Étoile", "Société Générée SARL", "Pêcherie du Nord", "Forêt & Bois SA"],
    "es": ["Panadería Peña S.L.", "Construcción Núñez S.A.", "Año Nuevo S.L.", "Jardín Español S.L."],
    "it": ["Caffè Città S.r.l.", "Qualità Più S.p.A.", "Oleificio Là S.n.c.", "Mobili Rossi S.r.l."],
    "pl": ["Żółw i Łoś Sp. z o.o.", "Zakład Śrubowy S.A.", "Ćwiklińska Meble", "Piekarnia Łódź S.C."],
    "en": ["Harbour Supplies Ltd", "O'Neil & Sons Ltd", "Green, Field and Co", "Northgate Paper Ltd"],
}
COUNTRY = {"de": "DE", "fr": "FR", "es": "ES", "it": "IT", "pl": "PL", "en": "GB"}
BANK = {"DE": "Hansebank", "FR": "Banque du Port", "ES": "Banco del Mar", "IT": "Banca del Lago", "PL": "Bank Morski", "GB": "Quay Bank"}
CITY = {"DE": "Hamburg", "FR": "Lyon", "ES": "Sevilla", "IT": "Milano", "PL": "Gdynia", "GB": "Leeds"}
AMOUNTS = [1234.56, 99.90, 12500.00, 7.05]


def payments(language, month, country=None, currency=None):
    country = country or COUNTRY[language]
    made = []
    for index, name in enumerate(NAMES[language]):
        amount = round(AMOUNTS[index] + month, 2)
        made.append({
            "name": name, "first": ["Anna", "Jan", "Eva", "Luc"][index], "last": name.split()[-2] if len(name.split()) > 1 else name,
            "invoice": f"R-{month}{index + 1:03}", "reference": f"Order {month}{index + 1:03}", "number": f"7000{index + 1}",
            "entry": f"26{month}{index:04}", "amount": amount, "half": round(amount / 2, 2), "iban": IBANS[country], "iban_bank": f"{IBANS[country]} - {BANK[country]}", "bic": BICS[country],
            "country": country, "currency": currency or {"PL": "PLN", "GB": "GBP"}.get(country, "EUR"), "bank": BANK[country],
            "street": f"{index + 1} Quay", "city": CITY[country], "postcode": f"2045{index}", "mail": f"pay{index}@supplier.example",
            "sort": "20-00-00", "account": f"1234567{index}", "date": datetime.date(2026, month, 1 + index),
            "due": datetime.date(2026, month, 27 - index * 8),
        })
    return made


def spaced(iban):
    return " ".join(iban[at:at + 4] for at in range(0, len(iban), 4))


NUMBERS = {"de": (".", ","), "fr": ("\u202f", ","), "es": (".", ","), "it": (".", ","), "pl": ("\u00a0", ","), "en": (",", "."),
           "us": (",", "."), "uk": (",", "."), "iso": ("", ".")}
DATES = {"de": "%d.%m.%Y", "fr": "%d/%m/%Y", "es": "%d/%m/%Y", "it": "%d/%m/%Y", "pl": "%d.%m.%Y", "en": "%d/%m/%Y", "us": "%m/%d/%Y",
         "uk": "%d/%m/%Y", "iso": "%Y-%m-%d"}


def number(amount, form):
    group, point = NUMBERS[form]
    return f"{amount:,.2f}".replace(",", "\0").replace(".", point).replace("\0", group)


def date(day, form):
    return day.strftime(DATES[form])


# Headers as people write them: of a list of suppliers, and of a payroll.
SUPPLIERS = {
    "de": {"Rechnungsnr.": "invoice", "Lieferant": "name", "IBAN": "spaced", "BIC": "bic", "Betrag": "amount", "Währung": "currency", "Fällig am": "due", "Bank": "bank", "Land": "country"},
    "fr": {"N° facture": "invoice", "Fournisseur": "name", "IBAN": "spaced", "Code BIC": "bic", "Montant TTC": "amount", "Devise": "currency", "Échéance": "due", "Banque": "bank", "Pays": "country"},
    "es": {"Nº factura": "invoice", "Proveedor": "name", "IBAN": "spaced", "Código BIC": "bic", "Importe": "amount", "Moneda": "currency", "Vencimiento": "due", "Banco": "bank", "País": "country"},
    "it": {"N. fattura": "invoice", "Fornitore": "name", "IBAN": "spaced", "BIC/SWIFT": "bic", "Importo": "amount", "Valuta": "currency", "Scadenza": "due", "Banca": "bank", "Paese": "country"},
    "pl": {"Nr faktury": "invoice", "Kontrahent": "name", "Nr rachunku": "spaced", "SWIFT": "bic", "Kwota brutto": "amount", "Waluta": "currency", "Termin płatności": "due", "Bank": "bank", "Kraj": "country"},
    "en": {"Invoice No.": "invoice", "Supplier": "name", "IBAN": "spaced", "SWIFT code": "bic", "Amount due": "amount", "Ccy": "currency", "Due date": "due", "Bank": "bank", "Country": "country"},
}
PAYROLL = {
    "de": {"Pers.-Nr.": "number", "Nachname": "last", "Vorname": "first", "Bruttolohn": "gross", "Auszahlungsbetrag": "amount", "IBAN": "iban", "Kreditinstitut": "bank"},
    "fr": {"Matricule": "number", "Nom": "last", "Prénom": "first", "Salaire brut": "gross", "Net à payer": "amount", "IBAN": "iban", "Nom de la banque": "bank"},
    "es": {"Nº empleado": "number", "Apellidos": "last", "Nombre": "first", "Salario bruto": "gross", "Líquido a percibir": "amount", "Cuenta IBAN": "iban", "Entidad bancaria": "bank"},
    "it": {"Matricola": "number", "Cognome": "last", "Nome": "first", "Stipendio lordo": "gross", "Netto in busta": "amount", "Codice IBAN": "iban", "Istituto bancario": "bank"},
    "pl": {"Nr pracownika": "number", "Nazwisko": "last", "Imię": "first", "Wynagrodzenie brutto": "gross", "Do wypłaty": "amount", "Nr IBAN": "iban", "Nazwa banku": "bank"},
    "en": {"Employee No": "number", "Surname": "last", "First name": "first", "Gross pay": "gross", "Net pay": "amount", "IBAN": "iban", "Bank name": "bank"},
}
TITLES = {"de": "Zahlungsliste", "fr": "Liste des paiements", "es": "Lista de pagos", "it": "Elenco dei pagamenti", "pl": "Lista płatności", "en": "Payment list"}
TOTALS = {"de": "Summe", "fr": "Total général", "es": "Importe total", "it": "Totale complessivo", "pl": "Razem", "en": "Grand total"}
