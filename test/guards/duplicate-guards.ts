import type { Guard } from './guard.ts';

const SUBMISSION_NOTE = 'test/store/submission-note.services.ts';

/** Checks of what a run may repeat, and of what is said of it. */
export const DUPLICATE_GUARDS: readonly Guard[] = [
  {
    id: 'run-noted-at-its-end',
    against: 'a server stores a run of which the audit trail says nothing',
    without: '',
    test: { file: SUBMISSION_NOTE, name: 'a run is noted whatever its server does' },
  },
  {
    id: 'equal-files-in-order',
    against: 'of two equal files that are stored at the same moment neither is said to be submitted twice',
    without: '',
    test: { file: SUBMISSION_NOTE, name: 'of equal files that end at the same time' },
  },
];
