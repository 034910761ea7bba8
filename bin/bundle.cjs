// Loads the bundle of the command line (bin/build.mjs) with what V8 has compiled of it before, which halves the time.
'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const nodeModule = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

/** What the bundle exports, and a function that keeps its code as compiled by now. */
function load(root) {
  const folder = path.join(root, 'dist');
  const filename = path.join(folder, 'command-line.cjs');
  const source = fs.readFileSync(filename, 'utf8');
  // V8 itself tells code of another source by its length alone.
  const codeFile = path.join(
    folder,
    `command-line.${createHash('sha256').update(source).digest('hex').slice(0, 16)}.code`,
  );
  const script = new vm.Script(nodeModule.wrap(source), { filename, cachedData: readIfThere(codeFile) });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle.exports, nodeModule.createRequire(filename), bundle, filename, folder);
  return { exports: bundle.exports, keepCompiled: () => fs.writeFileSync(codeFile, script.createCachedData()) };
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

module.exports = { load };
