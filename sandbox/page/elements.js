// Everything that is shown goes through textContent: what a caller sent is never read as HTML.

export const byId = (id) => document.getElementById(id);

/** Makes an element; a text or other elements go into it. */
export function element(tag, { className = '', ...properties } = {}, ...content) {
  const made = Object.assign(document.createElement(tag), properties);
  if (className !== '') made.className = className;
  made.append(...content);
  return made;
}

/** Writes only what changed, so that nothing flickers and a selection stays. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setClass(node, className) {
  if (node.className !== className) node.className = className;
}

/**
 * Fills a table's body with rows of cells: a text, or `{ text, className, title }`. Rows are used again by their place;
 * without any, `ifEmpty` is said instead.
 */
export function fillRows(body, rows, ifEmpty) {
  const columns = body.parentElement.querySelectorAll('thead th').length || 2;
  const shown = rows.length > 0 ? rows : [[{ text: ifEmpty, className: 'empty', columns }]];
  while (body.rows.length > shown.length) body.lastElementChild.remove();
  shown.forEach((cells, place) => fillRow(body.rows[place] ?? body.insertRow(), cells));
}

/** Fills a row from its first cell on; cells that are there beyond them stay unless they are `surplus`. */
export function fillRow(row, cells, surplus = 'remove') {
  if (surplus === 'remove') while (row.cells.length > cells.length) row.lastElementChild.remove();
  cells.forEach((given, place) => {
    const { text, className = '', title = '', columns = 1 } = typeof given === 'object' ? given : { text: given };
    const cell = row.cells[place] ?? row.insertCell();
    setText(cell, String(text ?? ''));
    setClass(cell, className);
    if (cell.title !== title) cell.title = title;
    if (cell.colSpan !== columns) cell.colSpan = columns;
  });
}

/** Replaces the choices of a select, and keeps what was chosen where it is still there. */
export function setChoices(select, choices) {
  const before = select.value;
  select.replaceChildren(...choices.map(({ value, text }) => element('option', { value, textContent: text })));
  if (choices.some(({ value }) => value === before)) select.value = before;
}

/** The time of day of an ISO time; the whole of it is the title. */
export const timeOfDay = (iso) => ({ text: iso.slice(11, 19), title: iso, className: 'instant' });
