/** A moment as Leases and audit events carry it: Kubernetes' MicroTime, which wants six digits of a second. */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
