/** What became of a traced packet. */
export interface TraceReport {
  /** The packet as the switch read it. */
  readonly flow: string;
  /** The first run through the tables, and one for each time the packet came back from connection tracking or a hash. */
  readonly passes: readonly TracePass[];
  readonly verdict: TraceVerdict;
  /** The whole text of the switch. */
  readonly text: string;
}

/** One run through the tables. */
export interface TracePass {
  readonly flow: string;
  /** Why the packet came back: `recirc(0x3) - resume conntrack with …`; undefined for the first pass. */
  readonly resumedBy: string | undefined;
  /** Where the pass began; undefined if the switch does not say. */
  readonly bridge: string | undefined;
  readonly steps: readonly TraceStep[];
  readonly finalFlow: string | undefined;
  readonly megaflow: string | undefined;
  readonly datapathActions: string | undefined;
  /** What the switch adds at the end, such as why it handles such packets itself. */
  readonly remarks: readonly string[];
}

/**
 * One node of the tree. A table holds its actions; an action holds what it led to before the next one was done, another
 * table or bridge; a table that the last action led to stands beside its own, as the switch prints it.
 */
export type TraceStep =
  | {
      readonly kind: 'table';
      readonly table: number;
      /** Empty: any packet. Undefined: no flow matched. */
      readonly match: string | undefined;
      readonly priority: number | undefined;
      readonly cookie: bigint | undefined;
      readonly steps: readonly TraceStep[];
    }
  | { readonly kind: 'bridge'; readonly bridge: string; readonly steps: readonly TraceStep[] }
  | { readonly kind: 'action'; readonly text: string; readonly steps: readonly TraceStep[] }
  | {
      readonly kind: 'note';
      readonly severity: 'info' | 'warning' | 'error';
      readonly text: string;
      readonly steps: readonly TraceStep[];
    };

/** `output`: it leaves by these ports of the datapath, tunnels included, though it may also go to the controller. */
export type TraceVerdict =
  | { readonly kind: 'output'; readonly ports: readonly string[] }
  | { readonly kind: 'controller' }
  | { readonly kind: 'drop'; readonly why: string | undefined };
