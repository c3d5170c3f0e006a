import type { ComputeInstance } from '@smalt/compute';

/** How the last request for an instance was answered, as far as the process that made it remembers. */
export interface RecoveryAnswer {
  readonly isTaken: boolean;
  readonly message: string;
}

/** What is known of an instance and its host when the next step is decided, all of it read after the last request. */
export interface InstanceFacts extends Pick<
  ComputeInstance,
  'id' | 'name' | 'state' | 'stateText' | 'hostName' | 'isLocked'
> {
  /** Whether it is highly available, as the policy says. */
  readonly isRelevant: boolean;
  /** Why nothing is done on its host now, as a sentence: an incident, maintenance, a pause. */
  readonly hostObjection: string | undefined;
  /** How many other instances are being restarted or moved. */
  readonly othersUnderWay: number;
  readonly answer?: RecoveryAnswer | undefined;
}
