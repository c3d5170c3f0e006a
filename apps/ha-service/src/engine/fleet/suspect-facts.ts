/** What was found out about a host because it shows no life; too dear to ask for all hosts at every look. */
export interface SuspectFacts {
  readonly readAt: number;
  /** How many of its instances are to be rebuilt; undefined when that could not be found out. */
  readonly relevantInstances: number | undefined;
  /** Why the policy leaves it alone. */
  readonly exclusion: string | undefined;
}
