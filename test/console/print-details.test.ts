import { expect, test } from 'vitest';
import { openDetailsForPrinting } from '../../console/elements/print-details.ts';

test('what is folded is opened for a print, and folded again after it; what was open stays so', () => {
  const all = [{ open: false }, { open: true }, { open: false }];
  const printer = new EventTarget();
  openDetailsForPrinting(printer, { querySelectorAll: () => all.filter(({ open }) => !open) });
  printer.dispatchEvent(new Event('beforeprint'));
  printer.dispatchEvent(new Event('beforeprint'));
  expect(all.map(({ open }) => open)).toEqual([true, true, true]);
  printer.dispatchEvent(new Event('afterprint'));
  expect(all.map(({ open }) => open)).toEqual([false, true, false]);
});
