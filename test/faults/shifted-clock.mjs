/**
 * Loaded before a worker or a server: shifts its wall clock by the milliseconds in the file that SHIFTED_CLOCK_FILE names. The file
 * is read again often, so that the clock can jump. Monotonic time is not shifted, as on a real machine.
 */
import { readFileSync } from 'node:fs';

const READ_EVERY_MS = 20;
const file = process.env.SHIFTED_CLOCK_FILE;
const RealDate = Date;
let shiftMs = 0;

function readShift() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    shiftMs = 0;
  }
}

const shifted = () => RealDate.now() + shiftMs;

const ShiftedDate = new Proxy(RealDate, {
  apply: () => new RealDate(shifted()).toString(),
  construct: (target, parts, newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [shifted()] : parts, newTarget),
  get: (target, name, receiver) => (name === 'now' ? shifted : Reflect.get(target, name, receiver)),
});

if (file !== undefined) {
  readShift();
  setInterval(readShift, READ_EVERY_MS).unref();
  globalThis.Date = ShiftedDate;
}
