import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../calls/api.ts';
import { counted } from '../elements/formats.ts';
import { DropZone } from '../elements/drop-zone.tsx';
import { Notice, Page, Section, Skeleton } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { FileRemarks } from '../payment-file/reading-file.tsx';
import { isPlainlyOurs, leftToDecide, type Profile } from '../payment-file/reading-profile.ts';
import { ReadingRefused } from '../payment-file/reading-refused.tsx';
import { ReadingSection } from '../payment-file/reading-section.tsx';
import { useOnceRead } from '../payment-file/use-once-read.ts';
import { type Asked, type SheetReading, useReading } from '../payment-file/use-reading.ts';
import { isOfBook } from './beneficiary-words.ts';
import { NotAdded } from './new-account-page.tsx';
import { useAccount } from './use-account.ts';

/** A list of suppliers becomes lines of the book, which a second person confirms. */
export function ImportPage(): ReactNode {
  const account = useAccount();
  const reading = useReading(account, 'beneficiaries');
  const { asked } = reading;
  return (
    <Page
      title="Import beneficiaries"
      under={`Into the book of the account ${account ?? ''}. A second person confirms each account.`}
    >
      <DropZone
        title={asked === null ? 'Choose the list' : 'Choose another list'}
        hint="or drop it here. Any CSV or XLSX, as your program exports its suppliers, or an export of the book; at most 5,000 accounts."
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        isSmall={asked !== null}
        onFiles={([picked]) => picked !== undefined && reading.choose(picked)}
      />
      {asked === null ? null : <ReadList key={asked.fileId} {...{ reading, asked, account }} />}
    </Page>
  );
}

function ReadList(props: { reading: SheetReading; asked: Asked; account: string | null }): ReactNode {
  const { reading, asked, account } = props;
  const { proposal, profile } = reading;
  const toDecide = proposal === null ? [] : leftToDecide(proposal);
  const isOurs = proposal !== null && isPlainlyOurs(proposal);
  // The server knows our own columns.
  const isUntouched = isOurs && asked.before === null;
  const add = useAction((given: Profile | null) => api.addBeneficiaries({ form: formOf(asked.file, given, account) }), {
    changes: [['beneficiaries'], ['beneficiary'], ['inbox']],
  });
  const isReady = toDecide.length === 0 && account !== null;
  const { start, isWaiting } = useOnceRead(reading, () => {
    if (isReady) add.do(isUntouched ? null : profile);
  });
  if (reading.error !== null) return <ReadingRefused reading={reading} />;
  if (proposal === null || profile === null) return <Skeleton lines={3} label={`Reading ${asked.file.name}`} />;
  if (add.answer !== undefined) return <Added {...add.answer} account={account} />;
  return (
    <>
      {isOurs ? (
        <FileRemarks proposal={proposal} />
      ) : (
        <ReadingSection {...{ reading, proposal, profile }} isShown={isOfBook} />
      )}
      <div className={isOurs ? 'row' : 'sticky-actions'}>
        {isOurs ? null : (
          <span role="status">
            {toDecide.length === 0 ? 'Nothing is left to decide' : `Left to decide: ${toDecide.join(', ')}`}
          </span>
        )}
        <span className="row">
          {reading.undo === null ? null : (
            <Button variant="default" disabled={add.isRunning} onClick={reading.undo}>
              Undo
            </Button>
          )}
          <Button loading={add.isRunning || isWaiting} disabled={!isReady} onClick={() => start(null)}>
            Add {counted(proposal.rowCount, 'account')}
          </Button>
        </span>
      </div>
      {add.error === null ? null : <NotAdded error={add.error} />}
    </>
  );
}

function Added({ added, known, account }: { added: number; known: number; account: string | null }): ReactNode {
  return (
    <Section title="Added to the book">
      <Notice tone="paid" title={`${counted(added, 'account')} added, ${known} known already`}>
        A second person, who did not add them, confirms each of them.
      </Notice>
      <Link to="/beneficiaries" search={{ state: 'proposed', ...(account === null ? {} : { account }) }}>
        Those that wait for a confirmation
      </Link>
    </Section>
  );
}

function formOf(file: File, profile: Profile | null, account: string | null): FormData {
  const form = new FormData();
  if (account !== null) form.set('account', account);
  if (profile !== null) form.set('profile', JSON.stringify(profile));
  form.set('source', 'import');
  form.set('file', file, file.name);
  return form;
}
