"""Makes sheets by real programs, with what their maker wrote: python3 make_sheets.py FOLDER

Needs openpyxl and LibreOffice (soffice). Each sheet is made for November and for December; sheets.json says what is in them.
"""
import csv
import json
import pathlib
import subprocess
import sys

import openpyxl
from openpyxl.styles import Font

from sheet_forms import FORMS
from sheet_rows import DATES, NUMBERS, PAYROLL, SUPPLIERS, TITLES, TOTALS, date, number, payments, spaced

FOLDER = pathlib.Path(sys.argv[1])
MONTHS = (11, 12)
LANGUAGES = ("de", "fr", "es", "it", "pl", "en")
# In which a person has LibreOffice: what it shows, and saves as CSV, follows it.
LOCALE = {"de": "de-DE", "fr": "fr-FR", "es": "es-ES", "it": "it-IT", "pl": "pl-PL", "en": "en-GB"}
DAY = {"de": "dd.mm.yyyy", "fr": "dd/mm/yyyy", "es": "dd/mm/yyyy", "it": "dd/mm/yyyy", "pl": "dd.mm.yyyy", "en": "dd/mm/yyyy"}
# The columns of payrun that what a maker writes fills.
OURS = {"invoice": "row_ref", "number": "row_ref", "name": "beneficiary_company_name", "first": "beneficiary_first_name",
        "last": "beneficiary_last_name", "amount": "amount", "currency": "buy_currency", "bic": "bank_bic_swift", "iban": "bank_iban",
        "spaced": "bank_iban", "bank": "bank_name", "country": "beneficiary_country", "account": "bank_account_number",
        "sort": "bank_sort_code", "reference": "payment_reference", "street": "beneficiary_address", "city": "beneficiary_city",
        "postcode": "beneficiary_postcode", "mail": "beneficiary_email"}
sheets = []


def truth(row, columns, wants):
    """What each of our columns is for this row, as the maker of the sheet means it."""
    held = set(columns.values())
    told = {}
    for what in held & set(OURS):
        if what == "number" and "invoice" in held:
            continue
        text = row["iban"] if what == "spaced" else row[what]
        told[OURS[what]] = f"{text:.2f}" if what == "amount" else text.replace("-", "") if what == "sort" else text
    for column, headers in wants.items():
        text = row[columns[headers[0]]]
        told[column] = f"{text:.2f}" if column == "amount" else text
    return told


def tell(name, month, *, program, source=None, columns, rows, wants=None, **more):
    sheet = next((each for each in sheets if each["name"] == name), None)
    if sheet is None:
        sheet = {"name": name, "program": program, "source": source, "wants": wants or {}, "constants": {}, "refused": False,
                 "reading": {}, "dates": None, "amounts": None, "files": {}, "rows": {}, **more}
        sheets.append(sheet)
    sheet["rows"][month] = [truth(row, columns, wants or {}) for row in rows]
    return sheet


def cell(row, what, form):
    if what.startswith("="):
        return what[1:]
    held = {"spaced": spaced(row["iban"]), "gross": row["amount"] * 1.5}.get(what, row.get(what))
    if what in ("amount", "half", "gross"):
        return number(held, form)
    return date(held, form) if what in ("date", "due") else held


def forms():
    for name, (source, delimiter, encoding, form, columns, how) in FORMS.items():
        language = {"de": "de", "iso": "de"}.get(form, "en")
        for month in MONTHS:
            rows = payments(language, month, how.get("country"), how.get("currency"))
            path = FOLDER / f"{name}-{month}.csv"
            with path.open("w", newline="", encoding=encoding) as file:
                writer = csv.writer(file, delimiter=delimiter)
                for title in how.get("title", []):
                    writer.writerow([title])
                if not how.get("headless"):
                    writer.writerow(columns)
                for row in rows:
                    writer.writerow([cell(row, what, form) for what in columns.values()])
                if "total" in how:
                    total = number(sum(row["amount"] for row in rows), form)
                    first = next(iter(columns))
                    writer.writerow([how["total"] if header == first else total if what == "amount" else "" for header, what in columns.items()])
            sheet = tell(name, month, program="Python csv", source=source, columns=columns, rows=rows, wants=how.get("wants"),
                         constants=how.get("constants", {}), refused=how.get("refused", False), encoding=encoding,
                         dates=None if form == "iso" else {"us": "12/31/2026", "de": "31.12.2026"}.get(form, "31/12/2026"),
                         amounts=number(1234.56, form))
            sheet["files"][month] = path.name


def workbook(path, language, month, *, columns, style):
    """As a person makes it: real numbers and dates, in the form of the language."""
    book = openpyxl.Workbook()
    sheet = book.active
    rows = payments(language, month)
    left = 2 if style == "offset" else 1
    line = 1
    if style != "plain":
        sheet.cell(1, left, f"{TITLES[language]} {month}/2026").font = Font(bold=True)
        sheet.merge_cells(start_row=1, start_column=left, end_row=1, end_column=left + len(columns) - 1)
        line = 4
    for at, header in enumerate(columns):
        sheet.cell(line, left + at, header).font = Font(bold=True)
    first = line + 1
    for index, row in enumerate(rows):
        for at, what in enumerate(columns.values()):
            raw = spaced(row["iban"]) if what == "spaced" else row["amount"] * 1.5 if what == "gross" else row[what]
            made = sheet.cell(first + index, left + at, raw)
            if what in ("amount", "gross"):
                made.number_format = "#,##0.00"
                if style == "formulas":
                    made.value = f"={raw}*2/2"
            if what == "due":
                made.number_format = DAY[language]
    last = first + len(rows) - 1
    if style != "plain":
        at = left + list(columns.values()).index("amount")
        letter = openpyxl.utils.get_column_letter(at)
        sheet.cell(last + 1, left, TOTALS[language])
        total = sheet.cell(last + 1, at, f"=SUM({letter}{first}:{letter}{last})")
        total.number_format = "#,##0.00"
    if style == "hidden":
        sheet.row_dimensions[last].hidden = True
    if style == "notes":
        book.create_sheet("Notes")["A1"] = "Ask Anna before Friday"
    book.save(path)
    return rows


SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>%s</value></prop></item></oor:items>"""


def convert(paths, to, language):
    """LibreOffice computes the formulas and saves what it shows."""
    profile = FOLDER.resolve() / "profiles" / language
    if not profile.exists():
        (profile / "user").mkdir(parents=True)
        (profile / "user" / "registrymodifications.xcu").write_text(SETTINGS % LOCALE[language])
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{profile}", "--convert-to", to, "--outdir", str(FOLDER)]
    subprocess.run([*command, *map(str, paths)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# separator, encoding as LibreOffice numbers them; label of TextDecoder
SAVED = {"de": (59, 1, "windows-1252"), "fr": (59, 76, "utf-8"), "es": (9, 65535, "utf-16le"), "it": (59, 22, "iso-8859-15"),
         "pl": (59, 33, "windows-1250"), "en": (44, 76, "utf-8")}
SAVED_PAYROLL = {"de": (9, 65535, "utf-16le"), "fr": (59, 1, "windows-1252"), "es": (59, 12, "iso-8859-1"), "it": (124, 76, "utf-8"),
                 "pl": (59, 13, "iso-8859-2"), "en": (9, 1, "windows-1252")}


def of_people():
    made = FOLDER / "made"
    made.mkdir(exist_ok=True)
    for language in LANGUAGES:
        kinds = {  # name: columns, style, how LibreOffice saves it
            "suppliers": (SUPPLIERS, "title", SAVED[language]),
            "payroll": (PAYROLL, "plain", SAVED_PAYROLL[language]),
            "book": (SUPPLIERS, {"de": "offset", "fr": "hidden", "es": "title", "it": "notes", "pl": "offset", "en": "plain"}[language], None),
            "saved": (SUPPLIERS, {"de": "formulas", "fr": "offset", "es": "hidden", "it": "formulas", "pl": "title", "en": "formulas"}[language], "xlsx"),
        }
        for kind, (headers, style, saved) in kinds.items():
            name, columns = f"{language}-{kind}", headers[language]
            for month in MONTHS:
                path = made / f"{name}-{month}.xlsx"
                rows = workbook(path, language, month, columns=columns, style=style)
                file = path.name if not isinstance(saved, tuple) else f"{name}-{month}.csv"
                constants = {"buy_currency": "PLN" if language == "pl" else "GBP" if language == "en" else "EUR"} if kind == "payroll" else {}
                sheet = tell(name, month, program="openpyxl" if saved is None else "LibreOffice", columns=columns, rows=rows, style=style,
                             constants=constants, encoding=saved[2] if isinstance(saved, tuple) else None,
                             dates=DATES[language].replace("%d", "31").replace("%m", "12").replace("%Y", "2026"),
                             amounts=number(1234.56, language))
                if style == "notes":
                    sheet["reading"] = {"sheetName": "Sheet"}
                sheet["files"][month] = file
            paths = [made / f"{name}-{month}.xlsx" for month in MONTHS]
            if saved is None:
                for path in paths:
                    (FOLDER / path.name).write_bytes(path.read_bytes())
            elif saved == "xlsx":
                convert(paths, "xlsx:Calc MS Excel 2007 XML", language)
            else:
                convert(paths, f"csv:Text - txt - csv (StarCalc):{saved[0]},34,{saved[1]},1,,0,false,true", language)


forms()
of_people()
(FOLDER / "sheets.json").write_text(json.dumps(sheets, ensure_ascii=False, default=str, indent=1))
print(f"{len(sheets)} sheets in {FOLDER}")
