// Everything is shown with textContent, so that input of callers is never parsed as HTML.

export const byId = (id) => document.getElementById(id);

/** Creates an element with a text or other elements as content. */
export function element(tag, { className = '', ...properties } = {}, ...content) {
  const made = Object.assign(document.createElement(tag), properties);
  if (className !== '') made.className = className;
  made.append(...content);
  return made;
}

/** Writes only changes, to avoid flicker and keep a selection. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setClass(node, className) {
  if (node.className !== className) node.className = className;
}

/**
 * Fills a table's body with rows of cells: a text, or `{ text, className, title }`. Existing rows are reused by index;
 * an empty table shows `ifEmpty`.
 */
export function fillRows(body, rows, ifEmpty) {
  const columns = body.parentElement.querySelectorAll('thead th').length || 2;
  const shown = rows.length > 0 ? rows : [[{ text: ifEmpty, className: 'empty', columns }]];
  while (body.rows.length > shown.length) body.lastElementChild.remove();
  shown.forEach((cells, index) => fillRow(body.rows[index] ?? body.insertRow(), cells));
}

/** Fills the first cells of a row; `surplus` says whether further cells are removed or kept. */
export function fillRow(row, cells, surplus = 'remove') {
  if (surplus === 'remove') while (row.cells.length > cells.length) row.lastElementChild.remove();
  cells.forEach((content, index) => {
    const { text, className = '', title = '', columns = 1 } = typeof content === 'object' ? content : { text: content };
    const cell = row.cells[index] ?? row.insertCell();
    setText(cell, String(text ?? ''));
    setClass(cell, className);
    if (cell.title !== title) cell.title = title;
    if (cell.colSpan !== columns) cell.colSpan = columns;
  });
}

/** Replaces the choices of a select, and keeps the selected one if it still exists. */
export function setChoices(select, choices) {
  const before = select.value;
  select.replaceChildren(...choices.map(({ value, text }) => element('option', { value, textContent: text })));
  if (choices.some(({ value }) => value === before)) select.value = before;
}

/** The time of day of an ISO time; the title is the full time. */
export const timeOfDay = (iso) => ({ text: iso.slice(11, 19), title: iso, className: 'instant' });
