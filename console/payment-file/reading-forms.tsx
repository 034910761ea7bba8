import { Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notice } from '../elements/page.tsx';
import type { Profile, Proposal } from './reading-profile.ts';
import { exampleAmount, exampleDate } from '../../domain/import-profiles/profile-in-words.ts';
import { samplesInWords } from './reading-words.ts';

/** How amounts and dates are written, with cells of the sheet that tell the readings apart. */
export function ReadingForms(props: {
  proposal: Proposal;
  profile: Profile;
  onDecide: (profile: Profile) => void;
}): ReactNode {
  const { proposal, profile, onDecide } = props;
  return (
    <div className="columns">
      <FormChoice
        label="Amounts"
        unreadable="Choose another column for the amounts, or correct its cells: none of them is an amount."
        forms={proposal.amountForms.map(({ form, rows }) => ({ form, rows, example: exampleAmount(form) }))}
        chosen={profile.amountForm}
        isOpen={proposal.undecided.includes('amount')}
        onChoose={(amountForm) => onDecide({ ...profile, amountForm })}
      />
      <FormChoice
        label="Dates"
        unreadable="Choose another column for the days, or correct its cells: none of them is a date."
        forms={proposal.dateForms.map(({ form, rows }) => ({ form, rows, example: exampleDate(form) }))}
        chosen={profile.dateForm}
        isOpen={proposal.undecided.includes('pay_on')}
        onChoose={(dateForm) => onDecide({ ...profile, dateForm })}
      />
    </div>
  );
}

function FormChoice<Form extends object>(props: {
  label: string;
  unreadable: string;
  forms: readonly { form: Form; rows: Proposal['amountForms'][number]['rows']; example: string }[];
  chosen: Form | null;
  isOpen: boolean;
  onChoose: (form: Form) => void;
}): ReactNode {
  const { label, unreadable, forms, chosen, isOpen, onChoose } = props;
  if (forms.length === 0) {
    return isOpen ? (
      <Notice tone="waiting" title={`${label} cannot be read`}>
        {unreadable}
      </Notice>
    ) : null;
  }
  const [only] = forms;
  if (forms.length === 1 && only !== undefined && !isOpen) {
    return (
      <p className="reading-form">
        <strong>{label}</strong> are written as {only.example}: {samplesInWords(only.rows)}.
      </p>
    );
  }
  const at = forms.findIndex(({ form }) => isSameForm(form, chosen));
  return (
    <Radio.Group
      label={`${label} are written as`}
      description={isOpen ? 'The sheet can be read in several ways: choose the one that is right.' : undefined}
      value={at === -1 ? null : String(at)}
      onChange={(index) => {
        const picked = forms[Number(index)];
        if (picked !== undefined) onChoose(picked.form);
      }}
    >
      <div className="stack reading-options">
        {forms.map(({ example, rows }, index) => (
          <Radio key={example} value={String(index)} label={example} description={samplesInWords(rows)} />
        ))}
      </div>
    </Radio.Group>
  );
}

function isSameForm<Form extends object>(one: Form, other: Form | null): boolean {
  const entries = (form: object) => JSON.stringify(Object.entries(form).sort());
  return other !== null && entries(one) === entries(other);
}
