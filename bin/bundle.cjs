// Loads the bundle of the command line (bin/build.mjs) with V8's compiled code, which halves the time, and finds those of services.
'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const nodeModule = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

/** The exports of the bundle, and a function that saves its code as compiled so far. */
function load(root) {
  const folder = path.join(root, 'dist');
  const filename = path.join(folder, 'command-line.cjs');
  const source = fs.readFileSync(filename, 'utf8');
  // V8 itself detects code of another source only by its length.
  const codeFile = path.join(
    folder,
    `command-line.${createHash('sha256').update(source).digest('hex').slice(0, 16)}.code`,
  );
  const script = new vm.Script(nodeModule.wrap(source), { filename, cachedData: readIfExists(codeFile) });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle.exports, nodeModule.createRequire(filename), bundle, filename, folder);
  return { exports: bundle.exports, saveCompiled: () => fs.writeFileSync(codeFile, script.createCachedData()) };
}

function readIfExists(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** The file of dist/services with that name (bin/build-services.mjs); null: there is none that is newer than all sources. */
function serviceFile(root, name) {
  try {
    const folder = path.join(root, 'dist/services');
    const file = path.join(folder, `${name}.mjs`);
    const builtAtMs = fs.statSync(file).mtimeMs;
    const inputs = JSON.parse(fs.readFileSync(path.join(folder, 'inputs.json'), 'utf8'));
    return inputs.every((input) => fs.statSync(path.join(root, input)).mtimeMs < builtAtMs) ? file : null;
  } catch {
    return null;
  }
}

module.exports = { load, serviceFile };
