/** What went wrong, in words; anything may have been thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
