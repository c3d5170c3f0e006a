/** The versions that are spoken here, as their number on the wire, best first. 1.5 packs flow and aggregate statistics otherwise. */
export const SPOKEN_VERSIONS = [4, 5, 6] as const;

export type OpenFlowVersion = (typeof SPOKEN_VERSIONS)[number];

const NAMES: ReadonlyMap<number, string> = new Map([
  [1, '1.0'],
  [2, '1.1'],
  [3, '1.2'],
  [4, '1.3'],
  [5, '1.4'],
  [6, '1.5'],
]);

/** `1.3` for 4, and so on. */
export function versionName(version: number): string {
  return NAMES.get(version) ?? `wire version ${version}`;
}

/** The best version that the other side speaks too, or undefined. */
export function chooseVersion(offered: readonly number[]): OpenFlowVersion | undefined {
  return SPOKEN_VERSIONS.find((version) => offered.includes(version));
}
