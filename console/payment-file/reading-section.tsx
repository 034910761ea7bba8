import { Button, FileButton } from '@mantine/core';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Loaded } from '../elements/loaded.tsx';
import { Notice, Section } from '../elements/page.tsx';
import { saveText } from '../elements/save-text.ts';
import { useAction } from '../elements/use-action.tsx';
import { ReadingColumns } from './reading-columns.tsx';
import { ReadingFile } from './reading-file.tsx';
import { ReadingForms } from './reading-forms.tsx';
import { isEncodingOpen, type Profile, type Proposal, readProfileFile } from './reading-profile.ts';
import { ReadingRows } from './reading-rows.tsx';
import { useFileColumns } from './use-file-columns.ts';
import type { SheetReading } from './use-reading.ts';
import './payment-file.css';

/** A sheet whose headers are not ours: how it is read is proposed, and each decision is shown in its first rows. */
export function ReadingSection(props: {
  reading: SheetReading;
  proposal: Proposal;
  profile: Profile;
  /** The columns that its rows may have. */
  isShown?: (column: string) => boolean;
}): ReactNode {
  const { reading, proposal, profile, isShown = () => true } = props;
  const columns = useFileColumns();
  const decide = { proposal, profile, onDecide: reading.decide };
  // Headers and cells are others in another encoding: it is decided first.
  const isLegible = !isEncodingOpen(proposal);
  return (
    <>
      <Section
        title="How this sheet is read"
        aside={<ProfileFile reading={reading} profile={isLegible ? profile : null} />}
      >
        <div className="stack" aria-busy={reading.isAsking}>
          <ReadingFile proposal={proposal} wanted={reading.asked?.wanted ?? {}} onReadAs={reading.readAs} />
        </div>
      </Section>
      {isLegible ? (
        <>
          <Section title="What fills each column">
            <div className="stack">
              <ReadingForms {...decide} />
              <Loaded query={columns}>
                {(all) => (
                  <ReadingColumns
                    key={proposal.headers.join('\n')}
                    columns={all.filter(({ name }) => isShown(name))}
                    {...decide}
                  />
                )}
              </Loaded>
              {profile.ignored.length === 0 ? null : (
                <p style={{ margin: 0 }}>
                  <strong>Not read:</strong> {profile.ignored.join(', ')}
                </p>
              )}
            </div>
          </Section>
          <Section title="The first rows">
            <ReadingRows rows={proposal.rows} />
          </Section>
        </>
      ) : null}
    </>
  );
}

/** A profile is kept as a file: the next sheet of this form is read by it, here or by `payrun submit --profile`. */
function ProfileFile({ reading, profile }: { reading: SheetReading; profile: Profile | null }): ReactNode {
  const load = useAction(async (file: File) => ({ file, read: readProfileFile(await file.text()) }), {
    then: ({ file, read }) => reading.useProfile(read, file.name),
  });
  return (
    <div className="row">
      {load.error instanceof Error ? <Notice tone="failed" title={load.error.message} /> : null}
      <FileButton accept=".json,application/json" onChange={(file) => file !== null && load.do(file)}>
        {(button) => (
          <Button {...button} size="xs" variant="default" leftSection={<IconFileImport size={14} />}>
            Use a profile
          </Button>
        )}
      </FileButton>
      {profile === null ? null : (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() =>
            saveText(`${JSON.stringify(profile, null, 2)}\n`, `${profile.name}.profile.json`, 'application/json')
          }
        >
          Download this profile
        </Button>
      )}
    </div>
  );
}
