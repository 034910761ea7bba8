import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { contentSha256 } from '../../domain/sha256.ts';

const requirements = path.join(import.meta.dirname, 'requirements.txt');
const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/payrun-camt');

/** A schema as ISO 20022 publishes it, in one of the packages. */
interface PublishedSchema {
  path: string;
  sha256: string;
}

const SCHEMAS = {
  'camt.053.001.08': {
    path: 'camt053/xsd/camt.053.001.08.xsd',
    sha256: 'ca0b135cc8e2dde5b2f99af6b6c514a8f29d6e7c6cf98e9ea84d247189868ff5',
  },
  'pain.001.001.03': {
    path: 'pain001/templates/pain.001.001.03/pain.001.001.03.xsd',
    sha256: 'ae2bbba02a6be0119a26f4afcb65ced067453cb1b81d38b26bcc569f19eca93e',
  },
  'pain.001.001.09': {
    path: 'pain001/templates/pain.001.001.09/pain.001.001.09.xsd',
    sha256: '05440a7e84f695e7dbc6677082f43623cd7393881b76a5e8d648ae21d7d728e3',
  },
} as const satisfies Record<string, PublishedSchema>;

const VALIDATE = `
import pathlib, sys, lxml.etree as etree
# Found without importing the package, whose own dependencies are not needed.
paths = [pathlib.Path(folder, sys.argv[2]) for folder in sys.path]
path = next(path for path in paths if path.is_file())
if sys.argv[1] == 'path':
    print(path)
else:
    schema = etree.XMLSchema(etree.parse(str(path)))
    schema.validate(etree.fromstring(sys.stdin.buffer.read()))
    for error in schema.error_log:
        print(error)
`;

/** Validates a document with libxml2; returns its errors, or an empty text. */
export type SchemaValidator = (document: string | Uint8Array) => string;

/**
 * Installs the pinned packages with the schemas and with libxml2 into a virtual environment, unless they are there. The schemas
 * are not in the repository, as they are not ours.
 * @throws where there is no Python 3 with `venv`, or the packages cannot be had
 */
export function schemaValidator(message: keyof typeof SCHEMAS): SchemaValidator {
  const { path: schema, sha256 } = SCHEMAS[message];
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
        `the schema of ${message} needs python3 with venv and pip: ${command} ${args.join(' ')}: ${error?.message ?? stderr}`,
      );
    }
  }
  const run = (mode: string, input: string | Uint8Array): string => {
    const { status, stdout, stderr } = spawnSync(python, ['-c', VALIDATE, mode, schema], { input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the validator failed: ${stderr}`);
    return stdout;
  };
  const found = contentSha256(readFileSync(run('path', '').trim()));
  if (found !== sha256) throw new Error(`the schema is not the published one: ${found}`);
  return (document) => run('validate', document);
}
