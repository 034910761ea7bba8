import type { Explanation } from '../explanation.ts';

/** Why a payment file cannot be read as a whole. */
export const FILE_PROBLEMS = {
  file_too_large: {
    cause: 'The payment file is larger than payrun accepts.',
    fix: 'Split it, and submit its parts one by one.',
  },
  empty_file: {
    cause: 'The file has no content.',
    fix: 'Export it again, with the payments in it.',
  },
  no_rows: {
    cause: 'The file has a header and no rows.',
    fix: 'Export it again, with the payments in it.',
  },
  zero_byte: {
    cause: 'The file contains a zero byte: it is damaged, or not a text file.',
    fix: 'Export it again.',
  },
  line_ends: {
    cause: 'The file has the line ends of old programs: a carriage return without a line feed.',
    fix: 'Save it with Windows or Unix line ends.',
  },
  quote_not_closed: {
    cause: 'A quote is opened on this line and never closed.',
    fix: 'Close it, or double it if it is part of the text.',
  },
  quote_inside: {
    cause: 'A cell that does not begin with a quote contains one.',
    fix: 'Put the whole cell into quotes, and double every quote inside it.',
  },
  text_after_quote: {
    cause: 'A cell continues after its closing quote.',
    fix: 'Put the whole cell into quotes, and double every quote inside it.',
  },
  cell_too_long: {
    cause: 'A cell is longer than payrun accepts. Often a quote before it is not closed.',
    fix: 'Shorten the cell, or close the quote.',
  },
  ragged_row: {
    cause: 'A line has more or fewer cells than the header.',
    fix: 'Put cells that contain a comma into quotes, and give every line as many cells as the header, empty ones too.',
  },
  too_many_columns: {
    cause: 'A line has more cells than payrun accepts.',
    fix: 'Delete the columns that are not needed.',
  },
  too_many_rows: {
    cause: 'The file has more rows than payrun accepts in one run.',
    fix: 'Split it, and submit its parts one by one.',
  },
  empty_header: {
    cause: 'A column has no header.',
    fix: 'Name the column, or delete it.',
  },
  unknown_header: {
    cause: 'The file has a column that payrun does not know.',
    fix: 'Correct the header, or prepare the file (`payrun prepare`, or New run in the console) and submit it with its profile.',
  },
  repeated_header: {
    cause: 'The file has the same column twice.',
    fix: 'Keep one of them.',
  },
  missing_columns: {
    cause: 'A required column is missing.',
    fix: 'Add it, or name in the profile one of your headers or a text that is the same for all rows.',
  },
  other_headers: {
    cause: 'The profile was made for a file with other headers.',
    fix: 'Prepare the file again, or give it the headers that it had.',
  },
  undecided_form: {
    cause: 'The profile does not say how amounts or dates are written.',
    fix: 'Choose the form in the profile.',
  },
  encoding_not_chosen: {
    cause: 'The file is not UTF-8, and does not say its encoding. Read wrongly, names with accents would be damaged.',
    fix: 'Prepare the file and compare its names, or save it as "CSV UTF-8".',
  },
  wrong_encoding: {
    cause: 'The file is not in the encoding that was chosen, or that its beginning suggests.',
    fix: 'Choose the encoding that it was saved in, or save it as "CSV UTF-8".',
  },
  unknown_encoding: {
    cause: 'The encoding that was chosen does not exist.',
    fix: 'Choose one that browsers know, such as `utf-8`, `windows-1252` or `utf-16le`.',
  },
  unusable_delimiter: {
    cause: 'The delimiter that was chosen is not one character, or is a quote or a line end.',
    fix: 'Choose a comma, a semicolon, a tab or a bar.',
  },
  sheet_not_chosen: {
    cause: 'The workbook has several sheets with content, so that payrun cannot know which one has the payments.',
    fix: 'Choose one of those that the problem names.',
  },
  unknown_sheet: {
    cause: 'The workbook has no sheet of the name that was chosen.',
    fix: 'Choose one of those that the problem names.',
  },
  encrypted_workbook: {
    cause: 'The workbook is protected by a password.',
    fix: 'Open it, remove the password, and save it.',
  },
  old_workbook: {
    cause: 'The file is a workbook of an old form (`.xls`).',
    fix: 'Open it in a spreadsheet program, and save it as `.xlsx`.',
  },
  other_workbook: {
    cause: 'The file is a workbook of another form (`.ods`, `.xlsb`, `.numbers`, or XML or HTML that is named `.xls`).',
    fix: 'Open it in a spreadsheet program, and save it as `.xlsx`.',
  },
  not_a_sheet: {
    cause: 'The file is a PDF, an image, an archive or another file without a table that can be read.',
    fix: 'Export the payments as `.xlsx` or CSV from where they come from.',
  },
  bank_file: {
    cause: 'The file is one for or from a bank: NACHA, ABA, MT101, MT940, camt or another one.',
    fix: 'Export the payments as `.xlsx`, CSV or pain.001 from where they come from.',
  },
  other_xml: {
    cause: 'The file is XML, and not a payment order (pain.001).',
    fix: 'Export the payments as `.xlsx`, CSV or pain.001 from where they come from.',
  },
  json_file: {
    cause: 'The file is JSON that is damaged, or not a list of objects.',
    fix: 'Give a list with one object for each payment.',
  },
  json_not_text: {
    cause: 'A value of the JSON is not a text. Numbers of JSON are not exact in every program.',
    fix: 'Put every value into quotes, such as `"1250.00"`, and leave out what is empty.',
  },
  damaged_order: {
    cause: 'The payment order is cut off, or is not well-formed XML.',
    fix: 'Export it again from where it comes from.',
  },
  other_order: {
    cause: 'The payment order is of another version than those that payrun reads.',
    fix: 'Export it as pain.001.001.03 or pain.001.001.09.',
  },
  unclear_order: {
    cause:
      'The payment order is not as its version says: a part is missing, is there twice, or is of another namespace.',
    fix: 'Export it again from where it comes from.',
  },
  order_sums: {
    cause: 'The payment order has another number of transactions, or another sum of amounts, than it says.',
    fix: 'Export it again from where it comes from: it was cut off or changed.',
  },
  no_transfers: {
    cause: 'The payment order has cheques, or another method than transfers.',
    fix: 'Take them out of the order, and give them to a bank.',
  },
  block_not_chosen: {
    cause: 'The payment order has several blocks of payment information, each of which becomes a run of its own.',
    fix: 'Choose one of those that the problem names, and submit the others after it.',
  },
  unknown_block: {
    cause: 'The payment order has no block of the name that was chosen.',
    fix: 'Choose one of those that the problem names.',
  },
  damaged_workbook: {
    cause: 'The workbook is cut off or damaged.',
    fix: 'Save it again in a spreadsheet program, and submit that file whole.',
  },
  unfolds_too_far: {
    cause: 'The workbook is compressed and becomes larger than payrun reads.',
    fix: 'Delete sheets and empty rows that are not needed, or save the sheet as CSV.',
  },
  xml_entities: {
    cause: 'The file has a document type (`DOCTYPE`), which no spreadsheet program and no bank writes.',
    fix: 'Export it again from where it comes from.',
  },
  cell_outside_table: {
    cause: 'A row has a cell in a column that has no header.',
    fix: 'Give the column a header, or delete the cell.',
  },
  no_header: {
    cause: 'No line of the file looks like one of headers.',
    fix: 'Add a line with a name for each column, or say which line it is.',
  },
  check_too_long: {
    cause: 'Checking the file took longer than a server allows.',
    fix: 'Split it, and submit its parts one by one.',
  },
  check_too_large: {
    cause: 'Checking the file took more memory than a server allows.',
    fix: 'Split it, and submit its parts one by one.',
  },
} as const satisfies Record<string, Explanation>;

export type FileProblemCode = keyof typeof FILE_PROBLEMS;
