import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FileColumn } from '../../api/payment-file/column.ts';
import { linkTo } from '../calls/api.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useFileColumns } from './use-file-columns.ts';

const NEEDS: Readonly<Record<FileColumn['need'], { title: string; hint: string }>> = {
  always: { title: 'In every row', hint: 'Each row fills these.' },
  with_details: {
    title: 'In every row that describes its beneficiary',
    hint: 'Leave them empty where beneficiary_id or beneficiary_key names one that the provider, or the book, has.',
  },
  by_requirements: {
    title: 'Where the provider asks for it',
    hint: 'It depends on the currency, the countries, and whether it is a company. The check says which ones are missing.',
  },
  optional: { title: 'If you like', hint: 'Columns that you do not need may be left out of the file.' },
};

const COLUMNS: readonly Column<FileColumn>[] = [
  { name: 'Column', cell: ({ name }) => <code className="mono">{name}</code> },
  { name: 'Example', cell: ({ example }) => example },
  { name: 'What it holds', isWideOnly: true, cell: ({ description }) => description.replaceAll('`', '') },
];

/** What a payment file must look like, and a template to begin with. */
export function FileColumns(): ReactNode {
  const columns = useFileColumns();
  return (
    <Section
      title="What a payment file looks like"
      aside={
        <Button
          component="a"
          href={linkTo('getFileTemplate', {})}
          download
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
        >
          Download a template
        </Button>
      }
    >
      <div className="stack">
        <p className="muted" style={{ margin: 0 }}>
          Any CSV or XLSX file can be chosen, as your program exports it: payrun shows how it would read it, and you
          decide. With the columns below as its header line, in any order, nothing is left to decide. Format account
          numbers and codes as text before you type them in a spreadsheet, or their leading zeros are lost.
        </p>
        <Loaded query={columns}>
          {(all) =>
            (Object.keys(NEEDS) as FileColumn['need'][]).map((need) => (
              <details key={need} open={need === 'always'}>
                <summary style={{ marginBottom: 8 }}>
                  <strong>{NEEDS[need].title}</strong> <span className="muted">{NEEDS[need].hint}</span>
                </summary>
                <Table
                  label={NEEDS[need].title}
                  rows={all.filter((column) => column.need === need)}
                  columns={COLUMNS}
                  keyOf={({ name }) => name}
                />
              </details>
            ))
          }
        </Loaded>
      </div>
    </Section>
  );
}
