/** What was installed last and the daemon has been told of. */
export interface InstalledMark {
  readonly resourceVersion: string;
  readonly fingerprint: string;
}

/** A file beside the authority's certificate; other programs that install this Secret keep theirs under the same name. */
export const MARK_DIRECTORY = 'CA';
export const MARK_NAME = '.last_resource_version';

export function printMark({ resourceVersion, fingerprint }: InstalledMark): string {
  return `${resourceVersion}\n${fingerprint}\n`;
}

/** Reads a mark; one without a fingerprint, or damaged, counts as none. */
export function parseMark(text: string): InstalledMark | undefined {
  const [resourceVersion = '', fingerprint = ''] = text.split('\n');
  return /^[0-9a-f]{64}$/.test(fingerprint) ? { resourceVersion, fingerprint } : undefined;
}
