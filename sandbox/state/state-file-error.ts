/** A state file that cannot be used. The message names the file and says what to do. */
export class StateFileError extends Error {
  constructor(path: string, problem: string, fix: string) {
    super(`--state: ${path}: ${problem}. ${fix}`);
    this.name = 'StateFileError';
  }
}
