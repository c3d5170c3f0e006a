/** What was found out about a host because it shows no life; too dear to ask for all hosts at every look. */
export interface SuspectFacts {
  /** How many of its instances are to be rebuilt. */
  readonly relevantInstances: number;
  /** Why the policy leaves it alone. */
  readonly exclusion: string | undefined;
}
