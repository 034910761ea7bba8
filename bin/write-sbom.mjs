// Writes dist/sbom.cdx.json, or the file that is named (CycloneDX): every package that an installation without development dependencies has, and those that
// are in the console as it was built. npm makes it from package-lock.json; each package has the hash that npm compares when it installs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = process.argv[2] ?? join(root, 'dist', 'sbom.cdx.json');
const command = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const whole = JSON.parse(
  execFileSync('npm', command, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  }),
);
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const dependenciesOf = new Map(whole.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
const isDevelopment = ({ properties = [] }) =>
  properties.some((property) => property.name === 'cdx:npm:package:development' && property.value === 'true');
const kept = new Set(
  whole.components.filter((component) => !isDevelopment(component)).map((component) => component['bom-ref']),
);
const imported = importsOf(join(root, 'console'));
for (const component of whole.components) {
  const isDirect = dependenciesOf.get(`${name}@${version}`)?.includes(component['bom-ref']);
  if (isDirect && imported.has(component.name)) keep(component['bom-ref']);
}

const components = whole.components.filter((component) => kept.has(component['bom-ref']));
const dependencies = whole.dependencies
  .filter(({ ref }) => kept.has(ref) || ref === `${name}@${version}`)
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
const metadata = { ...whole.metadata, component: { ...whole.metadata.component, name } };
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify({ ...whole, metadata, components, dependencies }, null, 2)}\n`);

function keep(ref) {
  if (kept.has(ref)) return;
  kept.add(ref);
  for (const other of dependenciesOf.get(ref) ?? []) keep(other);
}

/** The packages that sources in a folder import. */
function importsOf(folder) {
  const found = new Set();
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!/\.tsx?$/.test(file) || file === 'vite.config.ts') continue;
    const source = readFileSync(join(folder, file), 'utf8');
    for (const [, path] of source.matchAll(/(?:from|import) '([^.'][^']*)'/g)) {
      found.add(
        path
          .split('/')
          .slice(0, path.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    }
  }
  return found;
}
