import { byId, setClass, setText } from './elements.js';

/** Calls the control API for the chosen account. Throws an Error with the sandbox's own message. */
export async function call(method, path, body) {
  const query = byId('account').value === '' ? '' : `?key=${encodeURIComponent(byId('account').value)}`;
  const response = await fetch(`${path}${query}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({ message: 'the answer is not JSON' }));
  if (!response.ok) throw new Error(answer.message ?? `the sandbox answered ${response.status}`);
  return answer;
}

/** Performs an action and shows the result; `describe` makes a sentence from the answer. */
export async function act(outcome, perform, describe) {
  try {
    const answer = await perform();
    setClass(outcome, 'outcome');
    setText(outcome, `✓ ${describe(answer)}`);
  } catch (error) {
    setClass(outcome, 'outcome bad');
    setText(outcome, `✗ ${error.message}`);
  }
}
