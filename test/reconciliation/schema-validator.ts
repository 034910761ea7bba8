import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { contentSha256 } from '../../domain/sha256.ts';

const requirements = path.join(import.meta.dirname, 'requirements.txt');
const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/payrun-camt');

/** The schema of camt.053.001.08 as ISO 20022 publishes it (Standards Editor, 14 February 2019). */
const SCHEMA_SHA256 = 'ca0b135cc8e2dde5b2f99af6b6c514a8f29d6e7c6cf98e9ea84d247189868ff5';

const VALIDATE = `
import pathlib, sys, lxml.etree as etree
# Found without importing the package, whose own dependencies are not needed.
folders = [pathlib.Path(folder, 'camt053', 'xsd') for folder in sys.path]
path = next(folder for folder in folders if folder.is_dir()) / 'camt.053.001.08.xsd'
if sys.argv[1] == 'path':
    print(path)
else:
    schema = etree.XMLSchema(etree.parse(str(path)))
    schema.validate(etree.fromstring(sys.stdin.buffer.read()))
    for error in schema.error_log:
        print(error)
`;

/** Validates a document with libxml2; returns its errors, or an empty text. */
export type SchemaValidator = (document: string) => string;

/**
 * Installs the pinned packages with the schema and with libxml2 into a virtual environment, unless they are there. The schema
 * is not in the repository, as it is not ours.
 * @throws where there is no Python 3 with `venv`, or the packages cannot be had
 */
export function schemaValidator(): SchemaValidator {
  const folder = path.join(cache, contentSha256(readFileSync(requirements)).slice(0, 16));
  const python = path.join(folder, 'bin', 'python');
  const installed = path.join(folder, 'installed');
  if (!existsSync(installed)) {
    mkdirSync(cache, { recursive: true });
    const steps: [string, string[]][] = [
      ['python3', ['-m', 'venv', folder]],
      [path.join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-deps', '-r', requirements]],
      ['touch', [installed]],
    ];
    for (const [command, args] of steps) {
      const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
      if (status === 0) continue;
      throw new Error(
        `the schema of camt.053 needs python3 with venv and pip: ${command} ${args.join(' ')}: ${error?.message ?? stderr}`,
      );
    }
  }
  const run = (mode: string, input: string): string => {
    const { status, stdout, stderr } = spawnSync(python, ['-c', VALIDATE, mode], { input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the validator failed: ${stderr}`);
    return stdout;
  };
  const found = contentSha256(readFileSync(run('path', '').trim()));
  if (found !== SCHEMA_SHA256) throw new Error(`the schema is not the published one: ${found}`);
  return (document) => run('validate', document);
}
