import { MarkSource, RecoveryMethod, type RecoveryPolicy, type RecoverySegment } from './recovery-policy.ts';

/** Every setting of a policy that is wrong, one sentence each that names the field and what to do. */
export function policyProblems(policy: RecoveryPolicy): readonly string[] {
  return [
    ...policy.segments.flatMap(segmentProblems),
    ...twice(policy.segments.map(({ name }) => name)).map((name) => `segments: two are called ${name}; rename one`),
    ...twice(policy.segments.flatMap(({ reservedHosts }) => [...new Set(reservedHosts)])).map(
      (name) => `segments: ${name} is reserved in two segments; keep it in one`,
    ),
    ...emptyList('includeAggregates', policy.includeAggregates),
    ...bothLists(policy),
    ...instanceProblems(policy),
  ];
}

function segmentProblems(segment: RecoverySegment, index: number): readonly string[] {
  const field = `segments[${index}]`;
  const { name, method, reservedHosts, hosts } = segment;
  const isReserving = method !== RecoveryMethod.auto;
  return [
    ...(name.trim() === '' ? [`${field}.name: must not be empty`] : []),
    ...(Object.values(RecoveryMethod).includes(method)
      ? []
      : [`${field}.method: ${method} must be one of ${Object.values(RecoveryMethod).join(', ')}`]),
    ...(isReserving && reservedHosts.length === 0
      ? [`${field}.reservedHosts: method ${method} needs at least one; name one or use method auto`]
      : []),
    ...(!isReserving && reservedHosts.length > 0
      ? [`${field}.reservedHosts: method auto uses none; leave them out or use method auto-priority`]
      : []),
    ...twice(reservedHosts).map((each) => `${field}.reservedHosts: ${each} is named twice`),
    ...emptyList(`${field}.hosts.names`, hosts.names),
    ...emptyList(`${field}.hosts.aggregates`, hosts.aggregates),
    ...emptyList(`${field}.hosts.zones`, hosts.zones),
  ];
}

function bothLists({ includeAggregates, excludeAggregates }: RecoveryPolicy): readonly string[] {
  const both = includeAggregates?.filter((name) => excludeAggregates?.includes(name) === true) ?? [];
  return both.map((name) => `excludeAggregates: ${name} is included too; take it out of one of the lists`);
}

function instanceProblems({ instances }: RecoveryPolicy): readonly string[] {
  const { mode, sources, enabledKey, priorityKey, defaultPriority } = instances;
  return [
    ...(mode === 'marked' && sources.length === 0
      ? ['instances.sources: nobody is asked, so mode marked would rebuild nothing; name at least one']
      : []),
    ...sources
      .filter((source) => !Object.values(MarkSource).includes(source))
      .map((source) => `instances.sources: ${source} must be one of ${Object.values(MarkSource).join(', ')}`),
    ...twice(sources).map((source) => `instances.sources: ${source} is named twice`),
    ...(enabledKey.trim() === '' ? ['instances.enabledKey: must not be empty'] : []),
    ...(priorityKey.trim() === '' ? ['instances.priorityKey: must not be empty'] : []),
    ...(enabledKey === priorityKey ? ['instances.priorityKey: must not be the same as enabledKey'] : []),
    ...(Number.isFinite(defaultPriority) ? [] : [`instances.defaultPriority: ${defaultPriority} must be a number`]),
  ];
}

/** A list that is there and empty would match no host, which is never what is meant. */
function emptyList(field: string, list: readonly string[] | undefined): readonly string[] {
  return list?.length === 0 ? [`${field}: an empty list matches no host; leave it out to match all`] : [];
}

function twice(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
