/** What others know of hosts, asked for again and again. */
export interface PullEndpoint {
  /** Names it in metrics and in the log; unique. */
  readonly name: string;
  /** Such as `https://harvest.example/metrics`. No secret is in it. */
  readonly url: string;
  readonly format: 'prometheus' | 'json';
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** What is larger is not read to its end, and counts for nothing. */
  readonly mostBytes: number;
  /** Who signs its certificate, beside the authorities of this system. */
  readonly authorityFile?: string;
  /** The certificate by which it knows us, with its key. */
  readonly certificateFile?: string;
  readonly keyFile?: string;
  /** A bearer token, or an account with its password. */
  readonly tokenFile?: string;
  readonly user?: string;
  readonly passwordFile?: string;
  /** In JSON: where the list is, such as `data.result`; the whole answer if it is left out. */
  readonly items?: string;
  readonly rules: readonly PullRule[];
}

/** How one kind of reading becomes a signal. */
export interface PullRule {
  /** What it speaks of. Other sources have eyes of their own. */
  readonly source: 'agent' | 'libvirt' | 'storage';
  /** The name of a metric; in JSON, where the value is, such as `value.1`. */
  readonly value: string;
  /** Labels, in JSON fields, and the expressions that all of them have to match as a whole. */
  readonly where: Readonly<Record<string, string>>;
  readonly host: PullHost;
  readonly meaning: PullMeaning;
  /** In JSON: where it says when the value was read, in seconds since 1970 or as a time of ISO 8601. */
  readonly time?: string;
}

/** Which host a reading is about. */
export interface PullHost {
  /** A label, in JSON a field. */
  readonly from: string;
  /** What it has to match as a whole; all of it if it is left out. */
  readonly pattern?: string;
  /** What is made of the match, such as `$1.example`: its first group by default, else all of it. */
  readonly name?: string;
  /** Names of hosts by what came out, such as addresses; with it nothing else is a host. */
  readonly known?: Readonly<Record<string, string>>;
}

export type PullMeaning =
  /** Seconds since the host did something. */
  | { readonly kind: 'age' }
  /** When the host did something, in seconds since 1970 by the clock of the endpoint. */
  | { readonly kind: 'moment' }
  /** It is alive while the value compares so. */
  | {
      readonly kind: 'compare';
      readonly operator: PullOperator;
      readonly than: number;
      /** What it means when it does not: nothing, or that the host is dead. */
      readonly otherwise: 'nothing' | 'dead';
    };

export const PullOperator = {
  equal: '==',
  different: '!=',
  less: '<',
  atMost: '<=',
  more: '>',
  atLeast: '>=',
} as const;
export type PullOperator = (typeof PullOperator)[keyof typeof PullOperator];

export const defaultPullEndpoint = { intervalMs: 15_000, timeoutMs: 5_000, mostBytes: 8_388_608 } as const;
