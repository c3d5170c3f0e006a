import type { SignalSource } from './host-signal.ts';

/** What holds of a host that shows no life. */
interface WithoutLife {
  /** Its compute service may live: the compute system has not watched it for long enough yet to tell. */
  readonly isUnwatched?: true | undefined;
}

/** What is thought of a host. */
export type Judgement =
  /** `by` showed life at `lastLifeAt`; `isRebooted` says that it is not the same boot as before. */
  | {
      readonly kind: 'alive';
      readonly by: SignalSource;
      readonly lastLifeAt: number;
      readonly isRebooted: boolean;
    }
  /** No sign of life, and not enough for more. `since` is the last one, if there ever was one. */
  | ({
      readonly kind: 'suspect';
      readonly since: number | undefined;
      readonly dead: readonly SignalSource[];
      readonly missing: string;
    } & WithoutLife)
  /** Independent signals in `by` have agreed since then, and none speaks for it. */
  | ({ readonly kind: 'condemned'; readonly since: number; readonly by: readonly SignalSource[] } & WithoutLife)
  /** No source can tell anything. */
  | ({ readonly kind: 'unknown'; readonly blind: readonly SignalSource[] } & WithoutLife);
