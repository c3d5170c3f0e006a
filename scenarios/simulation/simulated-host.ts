/** How a management controller behaves. */
export const BmcKind = {
  honest: 'honest',
  /** Takes many seconds for everything. */
  slow: 'slow',
  /** Takes orders and does nothing. */
  ignores: 'ignores',
  /** Says now on, now off, while the host is on. */
  flips: 'flips',
  /** Never answers. */
  hangs: 'hangs',
  /** Fails every other time. */
  moody: 'moody',
  /** Says off, whatever is so. */
  lies: 'lies',
} as const;
export type BmcKind = (typeof BmcKind)[keyof typeof BmcKind];

/** The signs of life that a host gives, as they arrive where they are looked for. */
export type Sign = 'write' | 'heartbeat' | 'lease' | 'batch';

/** What a host is and does in truth, whatever anybody believes. */
export interface SimulatedHost {
  readonly name: string;
  readonly rack: string;
  readonly memoryMiB: number;
  /** Whether a loss of power takes its BMC with it. */
  readonly sharesPower: boolean;
  readonly hasSecondBmc: boolean;
  /** Whether its PDU switches another outlet, which nothing hangs on: it takes orders and says off, whatever is so. */
  readonly hasWrongOutlet: boolean;
  bmc: BmcKind;
  bmcReadings: number;
  /** Whether its mains are there at all. */
  hasMains: boolean;
  isPowered: boolean;
  /** An operating system runs. One that is frozen may go on one day where it was. */
  isBooted: boolean;
  isFrozen: boolean;
  isAgentRunning: boolean;
  isComputeRunning: boolean;
  boot: number;
  bootedAt: number;
  /** When it wrote to shared storage, told Nova, renewed its lease, and had a batch accepted, the newest last. */
  readonly signs: Readonly<Record<Sign, number[]>>;
}

export interface NewHost {
  readonly name: string;
  readonly rack: string;
  readonly bmc: BmcKind;
  readonly sharesPower: boolean;
  readonly hasSecondBmc: boolean;
  readonly hasWrongOutlet: boolean;
}

export function createHost(host: NewHost): SimulatedHost {
  return {
    ...host,
    bmcReadings: 0,
    memoryMiB: 16_384,
    hasMains: true,
    isPowered: true,
    isBooted: true,
    isFrozen: false,
    isAgentRunning: true,
    isComputeRunning: true,
    boot: 1,
    bootedAt: 0,
    signs: { write: [0], heartbeat: [0], lease: [0], batch: [0] },
  };
}

/** Whether its programs run at this moment. */
export function isAwake(host: SimulatedHost): boolean {
  return host.isBooted && !host.isFrozen;
}

/** Whether all that answer may say off while it is on: only storage can tell then, so it is never taken away. */
export function canBeFooled({ bmc, hasSecondBmc, hasWrongOutlet }: SimulatedHost): boolean {
  const isTruthful = bmc === 'honest' || bmc === 'slow' || bmc === 'ignores';
  return bmc === 'lies' || (hasSecondBmc && hasWrongOutlet && !isTruthful);
}

export function bootIdOf(host: SimulatedHost): string {
  return `${host.name}-boot-${host.boot}`;
}

const SIGNS_KEPT = 24;

export function giveSign({ signs }: SimulatedHost, sign: Sign, now: number): void {
  const times = signs[sign];
  times.push(now);
  if (times.length > SIGNS_KEPT) times.shift();
}

/** When it gave its last sign. */
export function lastSign({ signs }: SimulatedHost, sign: Sign): number {
  return signs[sign].at(-1) ?? 0;
}

/** When the last sign was given that is not later than that; at most that moment, where it is too long ago to be kept. */
export function signBefore({ signs }: SimulatedHost, sign: Sign, at: number): number {
  return signs[sign].findLast((each) => each <= at) ?? at;
}
