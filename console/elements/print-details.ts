/** What of a document this needs; `open` is the attribute of a `<details>`. */
interface Printed {
  querySelectorAll(selector: string): Iterable<{ open: boolean }>;
}

/** What is folded on the screen is on paper all the same: it is opened before a print, and folded again after it. */
export function openDetailsForPrinting(window: Pick<EventTarget, 'addEventListener'>, document: Printed): void {
  let opened: { open: boolean }[] = [];
  window.addEventListener('beforeprint', () => {
    // A print that is asked for twice must not forget what the first one opened.
    const folded = [...document.querySelectorAll('details:not([open])')];
    for (const details of folded) details.open = true;
    opened = [...opened, ...folded];
  });
  window.addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
    opened = [];
  });
}
