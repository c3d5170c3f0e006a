import type { BackOffOptions } from '../../connection/back-off.ts';
import { type Clock, systemClock } from '../../connection/clock.ts';
import type { LivenessLimits } from '../../connection/liveness.ts';
import type { OvsWarning } from '../../connection/ovs-warning.ts';
import type { OvsEndpoint } from '../../connection/parse-remote.ts';
import type { TlsFiles } from '../../connection/tls-files.ts';
import { OvsError } from '../../ovs-error.ts';
import type { OvsdbOptions } from '../ovsdb-options.ts';
import type { TableKinds } from '../values/column-kind.ts';

/** The options of a session, checked and complete. */
export interface OvsdbSettings {
  readonly endpoints: readonly OvsEndpoint[];
  readonly database: string;
  readonly tls: TlsFiles | undefined;
  readonly liveness: LivenessLimits;
  readonly requestTimeoutMs: number;
  readonly dumpTimeoutMs: number;
  readonly backOff: BackOffOptions;
  readonly leaderOnly: boolean;
  readonly maxMessageBytes: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onWarning: (warning: OvsWarning) => void;
}

const MEBIBYTE = 1024 * 1024;

/** Checks the options and fills in what was not told. */
export function ovsdbSettings(options: OvsdbOptions<TableKinds>): OvsdbSettings {
  if (options.target.endpoints.length === 0) {
    throw new OvsError('invalid-argument', 'target.endpoints is empty: name at least one');
  }
  return {
    endpoints: options.target.endpoints,
    database: options.database,
    tls: options.tls,
    liveness: {
      echoMs: positive('echoMs', options.echoMs ?? 5000),
      echoTimeoutMs: positive('echoTimeoutMs', options.echoTimeoutMs ?? 3000),
      silentLimitMs: positive('silentLimitMs', options.silentLimitMs ?? 60_000),
    },
    requestTimeoutMs: positive('requestTimeoutMs', options.requestTimeoutMs ?? 5000),
    dumpTimeoutMs: positive('dumpTimeoutMs', options.dumpTimeoutMs ?? 60_000),
    backOff: options.backOff ?? {},
    leaderOnly: options.leaderOnly ?? false,
    maxMessageBytes: positive('maxMessageBytes', options.maxMessageBytes ?? 256 * MEBIBYTE),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    onWarning: options.onWarning ?? (() => undefined),
  };
}

function positive(name: string, value: number): number {
  if (value > 0) return value;
  throw new OvsError('invalid-argument', `${name} is ${value}: it must be more than 0`);
}
