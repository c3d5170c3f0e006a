const QUICK_DIVISOR = 2;

/** One thing that every peer does, a number of times, in each round. */
export interface Measure {
  readonly key: string;
  readonly title: string;
  /** `command` runs in the peer alone; `events` also needs the process that provokes them. */
  readonly kind: 'command' | 'events';
  readonly command: string;
  readonly operations: number;
  /** How many callers share the connection, each waiting for its own reply before it calls again. */
  readonly callers: number;
  /** How many domains the daemon has meanwhile. */
  readonly domains: number;
  readonly shownAs: 'rate' | 'time';
}

const CALL: Measure = {
  key: '',
  title: '',
  kind: 'command',
  command: '',
  operations: 1_000,
  callers: 1,
  domains: 1,
  shownAs: 'rate',
};

const STATS: Measure = { ...CALL, command: 'stats', shownAs: 'time' };

// Sorted by the number of domains: domains are added in between and never removed.
const MEASURES: readonly Measure[] = [
  { ...CALL, key: 'serial_version', title: 'connectGetLibVersion, serial', command: 'version-serial' },
  { ...CALL, key: 'serial_info', title: 'domainGetInfo, serial', command: 'info-serial' },
  ...pipelined(50),
  ...pipelined(500),
  { ...CALL, key: 'connect', title: 'connect, open, close', command: 'connect', operations: 60, shownAs: 'time' },
  { ...STATS, key: 'stats1', title: 'all domain stats, 1 domain', operations: 1_000 },
  { ...STATS, key: 'stats100', title: 'all domain stats, 100 domains', operations: 200, domains: 100 },
  {
    ...CALL,
    key: 'events',
    title: 'lifecycle events absorbed',
    kind: 'events',
    operations: 3_000,
    callers: 50,
    domains: 100,
  },
  { ...STATS, key: 'stats1000', title: 'all domain stats, 1,000 domains', operations: 30, domains: 1_000 },
];

/** What is measured, in order. Quick runs do the same with fewer operations. */
export function planMeasures(quick: boolean): readonly Measure[] {
  if (!quick) return MEASURES;
  return MEASURES.map((measure) => ({ ...measure, operations: measure.operations / QUICK_DIVISOR }));
}

function pipelined(callers: number): readonly Measure[] {
  // Most of a second. Rounds of 5,000 gave another answer, see docs/decisions/0007-wait-awake-for-fast-replies.md.
  const shared = { ...CALL, operations: 20_000, callers };
  return [
    {
      ...shared,
      key: `pipelined${callers}_version`,
      title: `connectGetLibVersion, ${callers} callers`,
      command: 'version-pipelined',
    },
    {
      ...shared,
      key: `pipelined${callers}_info`,
      title: `domainGetInfo, ${callers} callers`,
      command: 'info-pipelined',
    },
  ];
}
