/** A fact about an object, in the shape that all kinds of `kubevirt.io` share. */
export interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
}

export type Conditions = readonly StatusCondition[];

/** What a condition says now; when that began is found by comparison with what it said before. */
export interface ConditionValue {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

export function findCondition(conditions: Conditions | undefined, type: string): StatusCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether a condition is there with this status, and with this reason if one is given. */
export function hasCondition(
  conditions: Conditions | undefined,
  type: string,
  status: string,
  reason?: string,
): boolean {
  const condition = findCondition(conditions, type);
  return condition?.status === status && (reason === undefined || condition.reason === reason);
}

/** The conditions with one of them said anew. Its time changes only with its status, its place never. */
export function withCondition(conditions: Conditions | undefined, value: ConditionValue, now: number): Conditions {
  const before = findCondition(conditions, value.type);
  const isSame = before?.status === value.status;
  const lastTransitionTime = isSame ? (before?.lastTransitionTime ?? timeText(now)) : timeText(now);
  const condition = { ...value, lastProbeTime: null, lastTransitionTime };
  if (before === undefined) return [...(conditions ?? []), condition];
  return (conditions ?? []).map((each) => (each.type === value.type ? condition : each));
}

export function withoutCondition(conditions: Conditions | undefined, type: string): Conditions {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}

/** A time as Kubernetes writes it, in whole seconds. */
export function timeText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** A time of an object in milliseconds since 1970; undefined when it is not set or makes no sense. */
export function readTime(text: string | null | undefined): number | undefined {
  const time = text === null || text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
