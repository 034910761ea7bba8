import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { SubmittedApplicants } from '../../api/onboarding/submission.ts';
import { api } from '../calls/api.ts';
import { counted, formatDuration } from '../elements/formats.ts';
import { Notice, Page, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { ApplicantFiles, ApplicantsRefused, formOfFiles, type GivenFiles } from './applicant-form.tsx';
import { CaseMark } from './case-states.tsx';

/** A file of applicants is checked first, and then submitted. */
export function NewCasesPage(): ReactNode {
  const [given, setGiven] = useState<GivenFiles>({ file: null, documents: [] });
  const [account, setAccount] = useState('');
  const send = useAction(
    (dryRun: boolean) => {
      const form = formOfFiles(given);
      form.set('dryRun', String(dryRun));
      if (account.trim() !== '') form.set('account', account.trim());
      return api.submitApplicants({ form }).then((answer) => ({ answer, dryRun }));
    },
    { changes: [['cases'], ['inbox']] },
  );
  return (
    <Page title="New applicants" under="Their file is checked first: nothing is sent to the provider by that.">
      <ApplicantFiles
        given={given}
        onChange={(next) => {
          send.reset();
          setGiven(next);
        }}
      />
      <TextInput
        label="Account to onboard with"
        description="Leave it empty if there is only one."
        maw={320}
        value={account}
        onChange={(event) => {
          send.reset();
          setAccount(event.currentTarget.value);
        }}
      />
      <div className="row">
        <Button variant="default" disabled={given.file === null} loading={send.isRunning} onClick={() => send.do(true)}>
          Check
        </Button>
        <Button
          disabled={send.answer?.dryRun !== true || send.isRunning}
          loading={send.isRunning}
          onClick={() => send.do(false)}
        >
          Submit
        </Button>
      </div>
      <ApplicantsRefused error={send.error} />
      {send.answer === undefined ? null : <Result {...send.answer} />}
    </Page>
  );
}

type Listed = SubmittedApplicants['cases'][number];

function Result({ answer, dryRun }: { answer: SubmittedApplicants; dryRun: boolean }): ReactNode {
  const columns: readonly Column<Listed>[] = [
    {
      name: 'Applicant',
      cell: ({ caseId, applicantRef, isNew }) =>
        dryRun && isNew ? (
          <strong>{applicantRef}</strong>
        ) : (
          <Link to={`/onboarding/${caseId}`} className="main">
            {applicantRef}
          </Link>
        ),
    },
    { name: 'State', cell: ({ state }) => <CaseMark state={state} /> },
    {
      name: 'Known before',
      cell: ({ isNew, differs }) => (isNew ? 'no' : differs === true ? 'yes, with other values' : 'yes'),
    },
  ];
  return (
    <Section title={dryRun ? 'What it would be' : 'Submitted'}>
      <div className="stack">
        <Notice tone={dryRun ? 'moving' : 'paid'}>
          {counted(answer.newCount, 'new applicant')}, {counted(answer.requestCount, 'request')} to the provider, about{' '}
          {formatDuration(answer.secondsToFinish)} until the last screening is requested.
        </Notice>
        {answer.warnings.map(({ applicantRef, message, code }) => (
          <Notice key={`${applicantRef}${code}`} tone="waiting" title={applicantRef}>
            {message}
          </Notice>
        ))}
        <Table label="Applicants" rows={answer.cases} columns={columns} keyOf={({ caseId }) => caseId} />
      </div>
    </Section>
  );
}
