/** Which messages a client wants from the bus; what is left out matches anything. */
export interface MatchRule {
  readonly sender?: string | undefined;
  readonly path?: string | undefined;
  readonly interface?: string | undefined;
  readonly member?: string | undefined;
  /** Texts among the arguments, by their index. */
  readonly arguments?: Readonly<Record<number, string>> | undefined;
}

/** The text of a rule for signals, as `AddMatch` takes it. */
export function renderMatchRule(rule: MatchRule): string {
  const parts = Object.entries({
    type: 'signal',
    sender: rule.sender,
    path: rule.path,
    interface: rule.interface,
    member: rule.member,
  });
  const values = Object.entries(rule.arguments ?? {}).map(([index, value]) => [`arg${index}`, value] as const);
  return [...parts, ...values]
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${quote(value)}`]))
    .join(',');
}

/** Between apostrophes everything stands for itself, but an apostrophe cannot stand there. */
function quote(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
