import type { BackOffOptions } from '../connection/back-off.ts';
import type { Clock } from '../connection/clock.ts';
import type { OvsWarning } from '../connection/ovs-warning.ts';
import type { OvsdbTarget } from '../connection/parse-remote.ts';
import type { TlsFiles } from '../connection/tls-files.ts';
import type { TableKinds } from './values/column-kind.ts';
import type { MonitorOptions } from './ovsdb.ts';

/** What is followed, where it is, and how long things may take. */
export interface OvsdbOptions<Tables extends TableKinds> extends MonitorOptions<Tables> {
  readonly target: OvsdbTarget;
  /** `Open_vSwitch`, `OVN_Southbound`, … */
  readonly database: string;
  readonly tables: Tables;
  /** For `ssl:` remotes. */
  readonly tls?: TlsFiles;
  /** How long the server may say nothing before it is asked whether it lives, 5 s unless told. */
  readonly echoMs?: number;
  /** How long it may take to answer that before the state is `silent`, 3 s unless told. */
  readonly echoTimeoutMs?: number;
  /** A connection that is silent for so long is made anew, 60 s unless told. */
  readonly silentLimitMs?: number;
  /** The deadline of each request, 5 s unless told. */
  readonly requestTimeoutMs?: number;
  /** The deadline of the first answer of a monitor, which holds all rows, 60 s unless told. */
  readonly dumpTimeoutMs?: number;
  readonly backOff?: BackOffOptions;
  /** Only the leader of a cluster will do; a member that lost its cluster never does. */
  readonly leaderOnly?: boolean;
  /** Longer messages end the connection, 256 MiB unless told. */
  readonly maxMessageBytes?: number;
  readonly clock?: Clock;
  /** From 0 to 1. */
  readonly random?: () => number;
  readonly onWarning?: (warning: OvsWarning) => void;
}
