/** A moment of the service's time for people, or null where there is none. */
export function timeOf(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

export function secondsOf(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : Math.round(milliseconds) / 1_000;
}
