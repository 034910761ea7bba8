import { isIP } from 'node:net';

const GROUPS = 8;
/** Whoever has one IPv6 address has its /64, which nobody else has. */
const GROUPS_OF_NETWORK = 4;

/** Whose an address is, for all that is counted by address: an IPv4 address, also one that is written as IPv6, or the /64 of an IPv6 one. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  // guard: counted-by-network
  if (isIP(plain) !== 6) return address;
  const groups = groupsOf(plain);
  const [high = 0, low = 0] = groups.slice(GROUPS - 2);
  // guard: mapped-is-ipv4
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  const network = groups.slice(0, GROUPS_OF_NETWORK).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight numbers of an IPv6 address; the last two may be written as an IPv4 one. */
function groupsOf(address: string): number[] {
  const [before = [], after] = address.split('::').map(numbersOf);
  if (after === undefined) return before;
  return [...before, ...Array<number>(GROUPS - before.length - after.length).fill(0), ...after];
}

function numbersOf(text: string): number[] {
  return text.split(':').flatMap((group) => {
    if (group === '') return [];
    if (!group.includes('.')) return [parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
