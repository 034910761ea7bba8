import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { ConfigurationError } from './configuration-error.ts';

export type YamlPlace = readonly PropertyKey[];

/**
 * A YAML file that an environment variable names, with the lines of its places, for messages. Of what is missing, the line
 * of what it is missing in. `what`: in the plural, as "the document requirements". @throws ConfigurationError
 */
export function readYamlFile(
  path: string,
  { variable, what }: { variable: string; what: string },
): { content: unknown; lineOf: (place: YamlPlace) => number } {
  const text = textOf(path, variable);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const notYaml = (why: string): ConfigurationError =>
    new ConfigurationError(`${what} in ${path} are not YAML:\n  ${why}`);
  const [error] = document.errors;
  if (error !== undefined) throw notYaml(`line ${lines.linePos(error.pos[0]).line}: ${error.message}`);
  const lineOf = (place: YamlPlace): number => {
    for (let length = place.length; length > 0; length -= 1) {
      const node = document.getIn(place.slice(0, length), true);
      if (isNode(node) && node.range !== null && node.range !== undefined) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  try {
    return { content: document.toJS() as unknown, lineOf };
  } catch (thrown) {
    throw notYaml(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function textOf(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`${variable}: ${path} cannot be read: ${why}`);
  }
}
