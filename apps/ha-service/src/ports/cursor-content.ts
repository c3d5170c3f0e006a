/** What a document of a `CursorKind` says: up to where somebody has read. */
export function writeCursor(after: string): string {
  return JSON.stringify({ after });
}

/** The id that somebody has read up to; undefined where the document says none. */
export function readCursor(content: string): string | undefined {
  const parsed: unknown = JSON.parse(content);
  const after = typeof parsed === 'object' && parsed !== null && 'after' in parsed ? parsed.after : undefined;
  return typeof after === 'string' ? after : undefined;
}
