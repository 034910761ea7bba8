/** `1 row`, `2 rows`, `1,200 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`;
}
