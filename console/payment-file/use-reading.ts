import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WantedReading } from '../../api/payment-file/reading.ts';
import { api } from '../calls/api.ts';
import { namedAfter, type Profile, type Proposal } from './reading-profile.ts';

/** How a file is read, as far as somebody has decided. */
export interface Asked {
  file: File;
  /** Of the chosen file, and of each question about it. */
  fileId: string;
  id: string;
  profile: Profile | null;
  wanted: WantedReading;
  /** The name of the profile that came from a file, and may be of other headers. */
  profileFile: string | null;
  before: Asked | null;
}

export interface SheetReading {
  asked: Asked | null;
  proposal: Proposal | null;
  /** As it was decided last: the server may not have answered yet. */
  profile: Profile | null;
  error: unknown;
  isAsking: boolean;
  choose: (file: File) => void;
  decide: (profile: Profile) => void;
  /** A choice of where the table is drops what was decided; one of its sheet or its encoding keeps it. */
  readAs: (wanted: WantedReading) => void;
  useProfile: (profile: Profile, name: string) => void;
  /** As it was before the last decision; null: nothing was decided. */
  undo: (() => void) | null;
}

const REST_MS = 250;

/**
 * What the server makes of a chosen file, after each decision again. The latest question counts. `account`: what its approved runs were
 * read by may read the file. `use`: what its rows are.
 */
export function useReading(account: string | null, use: 'payments' | 'beneficiaries' = 'payments'): SheetReading {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [settled] = useDebouncedValue(asked, REST_MS);
  const isNewFile = settled?.fileId !== asked?.fileId;
  const question = isNewFile ? asked : settled;
  const query = useQuery({
    queryKey: ['reading', question?.fileId, question?.id, question?.profile === null ? account : null],
    enabled: question !== null,
    queryFn: async ({ signal }) => {
      if (question === null) throw new Error('no file is chosen');
      return api.proposeReading({ form: formOfReading(question, account, use) }, { signal });
    },
    // While the next answer is awaited, what was shown of the same file stays.
    placeholderData: (previous, before) => (before?.queryKey[1] === question?.fileId ? previous : undefined),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const proposal = query.data ?? null;
  const ask = (change: Partial<Omit<Asked, 'id' | 'before'>>): void => {
    if (asked === null) return;
    setAsked({ ...asked, ...change, id: crypto.randomUUID(), before: asked });
  };
  const before = asked?.before ?? null;
  return {
    asked,
    proposal,
    profile: profileOf(asked, proposal, question !== asked || query.isPlaceholderData),
    error: question === asked ? query.error : null,
    isAsking: question !== asked || query.isFetching,
    choose: (file) => {
      const id = crypto.randomUUID();
      setAsked({ file, fileId: id, id, profile: null, wanted: {}, profileFile: null, before: null });
    },
    decide: (profile) => ask({ profile }),
    readAs: (wanted) => {
      const isSameTable = Object.keys(wanted).every((name) => name === 'encoding' || name === 'sheetName');
      ask({ wanted: { ...asked?.wanted, ...wanted }, ...(isSameTable ? {} : { profile: null, profileFile: null }) });
    },
    useProfile: (profile, name) => {
      // Which sheet of this workbook it is says no profile.
      const { sheetName } = asked?.wanted ?? {};
      ask({ profile, wanted: sheetName === undefined ? {} : { sheetName }, profileFile: name });
    },
    undo: before === null ? null : () => setAsked(before),
  };
}

/** What the server has answered; until then what was decided. */
function profileOf(asked: Asked | null, proposal: Proposal | null, isOld: boolean): Profile | null {
  if (asked === null || proposal === null) return null;
  if (isOld && asked.profile !== null) return asked.profile;
  return proposal.from === 'proposed' ? namedAfter(proposal.profile, asked.file.name) : proposal.profile;
}

function formOfReading({ file, profile, wanted }: Asked, account: string | null, use: string): FormData {
  const form = new FormData();
  form.set('use', use);
  if (account !== null) form.set('account', account);
  if (profile !== null) form.set('profile', JSON.stringify(profile));
  if (Object.keys(wanted).length > 0) form.set('reading', JSON.stringify(wanted));
  form.set('file', file, file.name);
  return form;
}
