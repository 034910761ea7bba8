import { Button, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ReportFile } from '../../api/reconciliation/book-day.ts';
import { linkTo } from '../calls/api.ts';
import { Dialog } from '../elements/dialog.tsx';

const FILES: Readonly<Record<ReportFile, string>> = {
  'report.html': 'Report, a page to read or print',
  'breaks.csv': 'Differences',
  'entries.csv': 'Entries of the history, with what they were for',
  'days.csv': 'Opening, movements and closing of each day',
  'fees.csv': 'Fees',
  'exchange.csv': 'Conversions, with their exchange differences',
  'statement.xml': 'Statement of a currency and day (camt.053)',
};

/** A file of one day, or of several up to the number that the server makes. `currencies`: those that there is a statement of. */
export function ReportDialog(props: {
  account: string;
  from: string;
  to: string;
  currencies: readonly string[];
  onClose: () => void;
}): ReactNode {
  const { account, currencies, onClose } = props;
  const [file, setFile] = useState<ReportFile>('report.html');
  const [from, setFrom] = useState(props.from);
  const [to, setTo] = useState(props.to);
  const [currency, setCurrency] = useState(currencies.length === 1 ? (currencies[0] ?? null) : null);
  const isStatement = file === 'statement.xml';
  const query = isStatement ? { account, from, currency } : { account, from, to };
  const isReady = from !== '' && (!isStatement || currency !== null);
  return (
    <Dialog title={`A report of ${account}`} isOpen onClose={onClose}>
      <Select
        label="What"
        allowDeselect={false}
        data={Object.entries(FILES).map(([value, label]) => ({ value, label }))}
        value={file}
        onChange={(chosen) => setFile(chosen as ReportFile)}
      />
      <TextInput
        type="date"
        label={isStatement ? 'Day (UTC)' : 'First day (UTC)'}
        required
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      {isStatement ? (
        <Select label="Currency" required data={[...currencies]} value={currency} onChange={setCurrency} />
      ) : (
        <TextInput
          type="date"
          label="Last day (UTC), at most 31 days"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      )}
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
        {isReady ? (
          <Button component="a" href={linkTo('getReconciliationFile', { file, ...query })} download>
            Download
          </Button>
        ) : (
          <Button disabled>Download</Button>
        )}
      </div>
    </Dialog>
  );
}
