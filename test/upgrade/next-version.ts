import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VERSION } from '../../config/version.ts';

const NEXT_VERSION = VERSION.replace(/\.(\d+)\..*$/, (_, minor) => `.${Number(minor) + 1}.0`);

/** What the changed function has in its body, so that one sees which version the database has. */
export const CHANGED_FUNCTION = { name: 'is_stopped', mark: 'as the next version has it' };

/** The table that the next version adds, with a row for each run that it has ended. */
export const ADDED_TABLE = 'ended_run_notes';

const IMPORT = "import { patched, sleep as pause } from '@temporalio/workflow';\n";
/** False in a history that has passed it already. */
const PATCHED = "patched('of-the-next-version')";
const SLEEPS = "await pause('100 milliseconds');\n";

interface Edit {
  file: string;
  /** Occurs once in the file. */
  text: string;
  becomes: string;
}

/**
 * A made-up next version: every workflow that may be open during an upgrade takes another course, behind a patch; a run calls a new
 * activity at its end, which writes to a new table; and a function of the database has another text.
 */
const EDITS: readonly Edit[] = [
  { file: 'package.json', text: `"version": "${VERSION}"`, becomes: `"version": "${NEXT_VERSION}"` },
  ...['payment', 'conversion', 'onboarding', 'payment-run'].map((name) =>
    after(`workflows/${name}.ts`, "} from '@temporalio/workflow';\n", IMPORT),
  ),
  before('workflows/payment.ts', '  const sent = await sendPayment(', `  if (${PATCHED}) ${SLEEPS}`),
  before('workflows/conversion.ts', '    if (plan.hasEnded) return', `    if (plan.hasEnded && ${PATCHED}) ${SLEEPS}`),
  before(
    'workflows/onboarding.ts',
    '    if (stage.hasEnded) return',
    `    if (stage.hasEnded && ${PATCHED}) ${SLEEPS}`,
  ),
  before(
    'workflows/payment-run.ts',
    '  const ended = await mainActivities.finishRun(',
    `  if (${PATCHED}) await mainActivities.noteEndedRun({ runId: input.runId });\n`,
  ),
  before(
    'activities/create-activities.ts',
    'import { checkDuplicatesActivity }',
    "import { noteEndedRunActivity } from './runs/note-ended-run.ts';\n",
  ),
  before(
    'activities/create-activities.ts',
    '    checkDuplicates: ',
    '    noteEndedRun: noteEndedRunActivity(dependencies),\n',
  ),
  after('store/database/database-roles.ts', '  payrun_worker: {\n', `    ${ADDED_TABLE}: 'insert',\n`),
  before(
    'store/approvals/stops.sql',
    '  select exists (select from stops where lifted_at',
    `  -- ${CHANGED_FUNCTION.mark}\n`,
  ),
];

const ADDED_FILES: Readonly<Record<string, string>> = {
  [`store/schema/9000_${ADDED_TABLE}.sql`]: `create table ${ADDED_TABLE} (run_id uuid not null);\n`,
  'activities/runs/note-ended-run.ts': `import type { ActivityDependencies } from '../dependencies.ts';

export function noteEndedRunActivity({ database }: ActivityDependencies) {
  return async function noteEndedRun({ runId }: { runId: string }): Promise<void> {
    await database.query('insert into ${ADDED_TABLE} (run_id) values ($1)', [runId]);
  };
}
`,
};

/** Makes the next version in a new folder, of the working tree as it is. Throws where an edit does not apply any more. */
export function makeNextVersion(root: string, folder: string): void {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  for (const file of files.toString().split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const edit of EDITS) writeFileSync(join(folder, edit.file), edited(folder, edit));
  for (const [file, content] of Object.entries(ADDED_FILES)) writeFileSync(join(folder, file), content, { flag: 'wx' });
  const last = readdirSync(join(folder, 'store/schema')).sort().at(-1);
  if (last === undefined || !(`store/schema/${last}` in ADDED_FILES))
    throw new Error(`${last} comes after what is added`);
}

/** Throws where an edit does not apply any more. */
export function assertEditsApply(root: string): void {
  for (const edit of EDITS) edited(root, edit);
}

function edited(folder: string, { file, text, becomes }: Edit): string {
  const pieces = readFileSync(join(folder, file), 'utf8').split(text);
  if (pieces.length === 2) return pieces.join(becomes);
  throw new Error(`test/upgrade/next-version.ts: ${file} has ${pieces.length - 1} times what it changes:\n${text}`);
}

function before(file: string, text: string, inserted: string): Edit {
  return { file, text, becomes: inserted + text };
}

function after(file: string, text: string, inserted: string): Edit {
  return { file, text, becomes: text + inserted };
}
