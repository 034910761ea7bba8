"""Makes the workbooks beside it with openpyxl and XlsxWriter, and saves some again with LibreOffice.

    pip install openpyxl==3.1.5 XlsxWriter==3.3.1 && python3 make-files.py
"""
import base64
import csv
import datetime
import json
import pathlib
import shutil
import subprocess
import tempfile

import openpyxl
import xlsxwriter

HERE = pathlib.Path(__file__).parent
HEADER = ["Lieferant", "IBAN", "Betrag", "Fällig", "Verwendungszweck"]
ROWS = [
    ["Müller GmbH", "DE89370400440532013000", 1234.5, datetime.date(2026, 11, 27), "Rechnung 1"],
    ["Jäger & Söhne", "DE02120300000000202051", 99.99, datetime.date(2026, 12, 1), "Rechnung 2"],
    ["Łódź Sp. z o.o.", "PL61109010140000071219812874", 0.1 + 0.2, datetime.date(2027, 1, 4), "Faktura 3"],
]


def plain(book):
    sheet = book.active
    sheet.title = "Zahlungen"
    sheet.append(HEADER)
    for row in ROWS:
        sheet.append(row)
    for cell in sheet["C"][1:]:
        cell.number_format = "#,##0.00"
    for cell in sheet["D"][1:]:
        cell.number_format = "dd.mm.yyyy"
    return sheet


def with_openpyxl():
    book = openpyxl.Workbook()
    plain(book)
    book.save(HERE / "plain.xlsx")

    book = openpyxl.Workbook()
    sheet = plain(book)
    sheet["A6"] = "hidden"
    sheet["C6"] = 5
    sheet.row_dimensions[6].hidden = True
    sheet.column_dimensions["E"].hidden = True
    sheet["A7"] = "formula"
    sheet["C7"] = "=SUM(C2:C6)"
    sheet["A8"] = "=1/0"
    sheet["A8"].value = "#REF!"
    sheet["A8"].data_type = "e"
    sheet["B9"] = 4111111111111110
    sheet["B10"] = "1.23457E+15"
    sheet["C11"] = 2.675
    sheet["C11"].number_format = "0.00"
    sheet["A12"] = "merged"
    sheet.merge_cells("A12:B13")
    sheet["D14"] = -4
    sheet["D14"].number_format = "dd.mm.yyyy"
    book.create_sheet("Leer")
    other = book.create_sheet("Versteckt")
    other["A1"] = "x"
    other.sheet_state = "hidden"
    book.save(HERE / "notes.xlsx")

    book = openpyxl.Workbook()
    plain(book)
    book.create_sheet("Mai")["B2"] = "content"
    book.save(HERE / "two-sheets.xlsx")

    book = openpyxl.Workbook()
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    plain(book)
    book.save(HERE / "from-1904.xlsx")

    book = openpyxl.Workbook()
    sheet = plain(book)
    sheet.auto_filter.ref = "A1:E4"
    sheet.auto_filter.add_filter_column(0, ["Müller GmbH"])
    sheet.row_dimensions[3].hidden = True
    sheet.row_dimensions[4].hidden = True
    book.save(HERE / "filtered.xlsx")


def with_xlsxwriter():
    book = xlsxwriter.Workbook(str(HERE / "rich.xlsx"))
    sheet = book.add_worksheet("Rich")
    bold = book.add_format({"bold": True})
    date = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
    percent = book.add_format({"num_format": "0%"})
    text = book.add_format({"num_format": "@"})
    sheet.write_row(0, 0, ["rich", "time", "percent", "text", "flag", "long"])
    sheet.write_rich_string(1, 0, "Mül", bold, "ler", " GmbH")
    sheet.write_datetime(1, 1, datetime.datetime(2026, 11, 27, 13, 30), date)
    sheet.write_number(1, 2, 0.125, percent)
    sheet.write_number(1, 3, 12, text)
    sheet.write_boolean(1, 4, True)
    sheet.write_number(1, 5, 123456789012)
    sheet.write_formula(2, 2, "=1+1", None, 2)
    sheet.write_string(3, 0, "line one\nline two")
    book.close()

    book = xlsxwriter.Workbook(str(HERE / "inline.xlsx"), {"constant_memory": True})
    sheet = book.add_worksheet("Inline")
    sheet.write_row(0, 0, HEADER)
    for number, row in enumerate(ROWS):
        sheet.write_row(number + 1, 0, row[:3])
    book.close()


FORMATS = [
    "General", "0", "0.00", "#,##0", "#,##0.00", "0%", "0.00%", "0.00E+00", "dd.mm.yyyy", "yyyy-mm-dd", "d-mmm-yy",
    "m/d/yyyy", "mmm yyyy", "dd/mm/yyyy hh:mm", "hh:mm:ss", "00000", "@", "#,##0.00;[Red]-#,##0.00", "#,##0.00 [$€-407]",
    "[$-407]#,##0.00", '"EUR" 0.00', "0.0##", "[$$-409]#,##0.00",
]
NUMBERS = [0, 1, -1, 12.5, 1234.56, -9876.543, 0.125, 46353, 46353.5625, 1000000, 99.995, 2.675]


def shown_numbers():
    """Each number in each form, to be compared with what LibreOffice shows."""
    book = openpyxl.Workbook()
    sheet = book.active
    for column, form in enumerate(FORMATS):
        for row, number in enumerate(NUMBERS):
            if not (number < 1 and any(letter in form for letter in "dmyh")):
                cell = sheet.cell(row=row + 1, column=column + 1, value=number)
                cell.number_format = form
    book.save(HERE / "formats.xlsx")


def supplier_sheet():
    """As people keep them: titles, an empty column, sums by formulas, a note below."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "KW 48"
    sheet["B1"] = "Muster Handel GmbH"
    sheet["B2"] = "Zahlungslauf vom"
    sheet["C2"] = datetime.date(2026, 11, 27)
    for column, name in enumerate(["Nr.", "Kreditor", "IBAN", "Rechnung", "Betrag €", "Fällig am"]):
        sheet.cell(row=4, column=column + 2, value=name)
    amounts = [1234.56, 99.9, 20000, 0.1, 18.55]
    for number, amount in enumerate(amounts):
        row = 5 + number
        values = [number + 1, f"Lieferant {number + 1} GmbH", "DE89370400440532013000", f"RE-{number}", amount, datetime.date(2026, 12, 1)]
        for column, value in enumerate(values):
            sheet.cell(row=row, column=column + 2, value=value)
        sheet.cell(row=row, column=6).number_format = "[$-407]#,##0.00"
        sheet.cell(row=row, column=7).number_format = "dd.mm.yyyy"
    sheet["B10"] = "Summe"
    sheet["F10"] = "=SUM(F5:F9)"
    sheet["F10"].number_format = "[$-407]#,##0.00"
    sheet["B12"] = "Freigegeben: noch offen"
    book.save(HERE / "formulas.xlsx")


def with_libreoffice():
    with tempfile.TemporaryDirectory() as folder:
        def save(source, form, name):
            subprocess.run(
                ["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile", "--convert-to", form, "--outdir", folder, str(source)],
                check=True, stdout=subprocess.DEVNULL,
            )
            suffix = form.split(":")[0]
            shutil.move(f"{folder}/{source.stem}.{suffix}", HERE / name)

        save(HERE / "plain.xlsx", "xlsx:Calc MS Excel 2007 XML", "libreoffice.xlsx")
        save(HERE / "filtered.xlsx", "xlsx:Calc MS Excel 2007 XML", "libreoffice-filtered.xlsx")
        save(HERE / "plain.xlsx", "xls", "old.xls")
        save(HERE / "plain.xlsx", "ods", "plain.ods")
        save(HERE / "plain.xlsx", "html", "html.xls")
        save(HERE / "plain.xlsx", "pdf", "plain.pdf")
        save(HERE / "formulas.xlsx", "xlsx:Calc MS Excel 2007 XML", "supplier-sheet.xlsx")
        save(HERE / "formulas.xlsx", "csv:Text - txt - csv (StarCalc):59,34,1,1", "supplier-sheet.csv")
        save(HERE / "formats.xlsx", "csv:Text - txt - csv (StarCalc):9,34,76,1", "formats.csv")
        (HERE / "formulas.xlsx").unlink()
        # Tokens: delimiter, quote, character set: 1 is windows-1252, 76 UTF-8, 65535 UTF-16, 33 windows-1250.
        save(HERE / "plain.xlsx", "csv:Text - txt - csv (StarCalc):59,34,1,1", "semicolon-1252.csv")
        save(HERE / "plain.xlsx", "csv:Text - txt - csv (StarCalc):44,34,76,1", "comma-utf8.csv")
        save(HERE / "plain.xlsx", "csv:Text - txt - csv (StarCalc):9,34,65535,1", "tab-utf16.csv")
        save(HERE / "plain.xlsx", "csv:Text - txt - csv (StarCalc):59,34,33,1", "semicolon-1250.csv")


ENCODINGS = [
    ("utf-8", "utf-8", "Müller €𝄞"),
    ("utf-16le", "utf-16-le", "Müller €𝄞"),
    ("utf-16be", "utf-16-be", "Müller €𝄞"),
    ("ibm866", "cp866", "Ромашка"),
    ("iso-8859-2", "iso8859_2", "Łódź Škoda"),
    ("iso-8859-3", "iso8859_3", "Ħaġar"),
    ("iso-8859-4", "iso8859_4", "Rīga Ķekava"),
    ("iso-8859-5", "iso8859_5", "Ромашка"),
    ("iso-8859-6", "iso8859_6", "شركة"),
    ("iso-8859-7", "iso8859_7", "Αθήνα"),
    ("iso-8859-8", "iso8859_8", "תל אביב"),
    ("iso-8859-10", "iso8859_10", "Þór Ķekava"),
    ("iso-8859-13", "iso8859_13", "Žemaitija Łódź"),
    ("iso-8859-14", "iso8859_14", "Ŵyn"),
    ("iso-8859-15", "iso8859_15", "Œuvre €"),
    ("koi8-r", "koi8_r", "Ромашка"),
    ("koi8-u", "koi8_u", "Київ Ґанок"),
    ("macintosh", "mac_roman", "Müller €"),
    ("windows-874", "cp874", "บริษัท"),
    ("windows-1250", "cp1250", "Łódź Škoda €"),
    ("windows-1251", "cp1251", "Ромашка €"),
    ("windows-1252", "cp1252", "Müller € „Œ“ Ÿ"),
    ("windows-1253", "cp1253", "Αθήνα €"),
    ("windows-1254", "cp1254", "Iğdır Şişecam €"),
    ("windows-1255", "cp1255", "תל אביב €"),
    ("windows-1256", "cp1256", "شركة €"),
    ("windows-1257", "cp1257", "Žemaitija Łódź €"),
    ("windows-1258", "cp1258", "Đà €"),
    ("x-mac-cyrillic", "mac_cyrillic", "Ромашка"),
    ("gbk", "gbk", "北京有限公司"),
    ("gb18030", "gb18030", "北京有限公司 𝄞"),
    ("big5", "big5", "台灣有限公司"),
    ("euc-jp", "euc_jp", "株式会社サンプル"),
    ("iso-2022-jp", "iso2022_jp", "株式会社サンプル"),
    ("shift_jis", "shift_jis", "株式会社サンプル"),
    ("euc-kr", "euc_kr", "주식회사 삼성"),
]


def with_python():
    lines = {
        "polish-1250": ("windows-1250", ["Łódź Spółka z o.o.", "Żabka Świętokrzyska", "Wrocław"]),
        "russian-1251": ("windows-1251", ["ООО Ромашка", "Общество с ограниченной ответственностью"]),
        "japanese-sjis": ("shift_jis", ["株式会社サンプル", "東京都千代田区"]),
        "chinese-gbk": ("gbk", ["北京有限公司", "上海浦东新区"]),
        "french-1252": ("windows-1252", ["Société Générale", "Café Élysée"]),
    }
    for name, (encoding, names) in lines.items():
        with open(HERE / f"{name}.csv", "w", encoding=encoding, newline="") as file:
            csv.writer(file, delimiter=";").writerows([["Name", "Amount"], *([one, "1"] for one in names)])
    with open(HERE / "encodings.json", "w", encoding="utf-8") as file:
        encoded = [
            {"label": label, "text": text, "base64": base64.b64encode(text.encode(codec)).decode()}
            for label, codec, text in ENCODINGS
        ]
        json.dump(encoded, file, ensure_ascii=False, indent=2)
        file.write("\n")
    for dialect in ["excel", "unix"]:
        with open(HERE / f"python-{dialect}.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file, dialect).writerows([HEADER, *ROWS, ["a \"b\"", "c,d", "e\r\nf", "", " g "]])


with_python()
with_openpyxl()
with_xlsxwriter()
shown_numbers()
supplier_sheet()
with_libreoffice()
