/** As `1 day`, `1,827 days`. */
export function counted(count: number, singular: string): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? singular : `${singular}s`}`;
}
