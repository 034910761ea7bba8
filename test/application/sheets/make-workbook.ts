import { type ZipPart, zipOf } from './make-zip.ts';

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

export interface WorkbookParts {
  /** The content of `<worksheet>`, by the name of its sheet. */
  sheets: Record<string, string>;
  /** The content of `<sst>`. */
  strings?: string;
  /** The content of `<styleSheet>`. */
  styles?: string;
  /** Attributes of `<workbookPr>`. */
  properties?: string;
  more?: ZipPart[];
}

/** The parts of a workbook; those of `more` take the place of others with their names. */
export function workbookParts({
  sheets,
  strings = '',
  styles = '',
  properties = '',
  more = [],
}: WorkbookParts): ZipPart[] {
  const names = Object.keys(sheets);
  const related = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relationships = (content: string) =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${content}</Relationships>`;
  const parts: ZipPart[] = [
    { name: '[Content_Types].xml', content: `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"/>` },
    { name: '_rels/.rels', content: relationships(related('r1', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      content: `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr ${properties}/><sheets>${names
        .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"/>`)
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationships(
        [
          ...names.map((_, index) => related(`s${index}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
          related('t', 'sharedStrings', '/xl/sharedStrings.xml'),
          related('y', 'styles', 'styles.xml'),
        ].join(''),
      ),
    },
    { name: 'xl/sharedStrings.xml', content: `${DECLARATION}<sst xmlns="${MAIN}">${strings}</sst>` },
    { name: 'xl/styles.xml', content: `${DECLARATION}<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` },
    ...names.map((name, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `${DECLARATION}<worksheet xmlns="${MAIN}">${sheets[name] ?? ''}</worksheet>`,
    })),
  ];
  return parts.map((part) => more.find(({ name }) => name === part.name) ?? part);
}

export function workbookOf(parts: WorkbookParts): Buffer {
  return zipOf(workbookParts(parts));
}

/** One sheet with these rows. */
export function sheetOf(rows: string, parts: Omit<WorkbookParts, 'sheets'> = {}): Buffer {
  return workbookOf({ ...parts, sheets: { Sheet1: `<sheetData>${rows}</sheetData>` } });
}
