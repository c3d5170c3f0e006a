import type { DaemonVersion } from './daemon-version.ts';

// OVN's daemons say `ovn-controller 23.03.1`, and tell the version of their library on the next line.
const VERSION = /^(\S+)(?: \([^)]*\))? (\d\S*)$/m;
const COUNT = /([^:\s][^:]*):(\d+)(?:\s+|$)/g;
const COVERAGE = /^(\w+)\s+[\d.]+\/sec\s.*\stotal: (\d+)$/;

/** Reads what `version` says. Undefined: it is none. */
export function parseVersion(text: string): DaemonVersion | undefined {
  const [, program, version] = VERSION.exec(text) ?? [];
  return program === undefined || version === undefined ? undefined : { program, version };
}

/** Reads `handlers:1 ofconns:3 udpif keys:4`: names may have spaces. */
export function parseMemory(text: string): ReadonlyMap<string, number> {
  return new Map([...text.trim().matchAll(COUNT)].map(([, name = '', count]) => [name, Number(count)]));
}

/** Reads the totals of `coverage/show`. */
export function parseCoverage(text: string): ReadonlyMap<string, bigint> {
  return new Map(
    text.split(/\r?\n/).flatMap((line): [string, bigint][] => {
      const [, name, total] = COVERAGE.exec(line.trim()) ?? [];
      return name === undefined || total === undefined ? [] : [[name, BigInt(total)]];
    }),
  );
}
