import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Draft } from '../../api/payment-file/draft.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { counted } from '../elements/formats.ts';
import { Failed, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { Documents } from './documents.tsx';

/** The documents of a draft: they are stored at once, and its rows are checked again with them. */
export function DraftDocuments({ draft }: { draft: Draft }): ReactNode {
  const { draftId, revision, files } = draft;
  const queries = useQueryClient();
  const asked = useAskedAbout<string>(String(revision));
  const changes = [['draft', draftId], ['drafts']];
  const add = useAction(
    async (added: readonly File[]) => {
      let latest = draft;
      for (const file of added) {
        latest = await api.addDraftFile({ draftId, form: documentForm(latest, file) });
        queries.setQueryData(['draft', draftId], latest);
      }
    },
    { changes },
  );
  const remove = useAction((name: string) => api.changeDraft({ draftId, revision, removeFiles: [name] }), {
    changes,
    then: (saved: Draft) => {
      asked.close();
      queries.setQueryData(['draft', draftId], saved);
    },
  });
  const name = asked.question;
  return (
    <Section
      title="Documents"
      aside={<span className="muted">{files.length === 0 ? 'none yet' : counted(files.length, 'file')}</span>}
    >
      {add.error === null ? null : <Failed error={add.error} />}
      <ChangedMeanwhile what="The draft" asked={asked} />
      <Documents
        documents={files.map((each) => ({ name: each }))}
        isDisabled={add.isRunning || remove.isRunning}
        onAdd={add.do}
        onRemove={asked.open}
      />
      <ReasonDialog
        title={`Remove ${name ?? 'the document'}?`}
        verb="Remove it"
        reason="none"
        isDangerous
        action={{ ...remove, do: () => name !== null && remove.do(name) }}
        isOpen={name !== null}
        onClose={asked.close}
      >
        <p style={{ margin: 0 }}>It is removed at once. To have it again, add the file again.</p>
      </ReasonDialog>
    </Section>
  );
}

/** For the draft as it was seen. */
function documentForm({ revision }: Draft, file: File): FormData {
  const form = new FormData();
  form.set('revision', String(revision));
  form.set('file', file, file.name);
  return form;
}
