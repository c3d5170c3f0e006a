import type { Hypervisor } from '@smalt/fleet-api';
import {
  isFinalPhase,
  MigrationPhase,
  PrintableStatus,
  WellKnownName,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';

import { durationText } from '../output/duration-text.ts';
import { reasonOf } from '../virtual-machines/decide-order.ts';
import { good, problem, warning, type Verdict } from './finding.ts';
import type { FleetFacts, FleetNode, HighAvailabilityFacts } from './fleet-facts.ts';

const HEARTBEAT = WellKnownName.heartbeatAnnotation;
const HANDLER_URL = 'smalt.dev/virt-handler-url';
/** A heartbeat comes every minute, and up to 1.2 later. */
const SILENT_MS = 180_000;
const SKEW_MS = 10_000;
const PENDING_MS = 120_000;
const STUCK_MS = 600_000;
const USUAL_STATES: readonly string[] = ['Active', 'Maintenance', 'Evicting', 'Decommissioned'];
const TROUBLED: readonly string[] = [
  PrintableStatus.crashLoopBackOff,
  PrintableStatus.unschedulable,
  PrintableStatus.errImagePull,
  PrintableStatus.imagePullBackOff,
  PrintableStatus.pvcNotFound,
  PrintableStatus.dataVolumeError,
];

/** Judges a cluster. What is well is one line each; what is not has a line of its own. */
export function judgeFleet(facts: FleetFacts, now: Date): readonly Verdict[] {
  return [
    ...facts.hidden.map(({ what, why }) => warning(what, `cannot be looked at: ${why}`, 'use a kubeconfig that may')),
    ...unlessEmpty('hosts', facts.nodes?.filter(isHost), (hosts) => hosts.flatMap((host) => judgeNode(host, now))),
    ...unlessEmpty('life of hosts', facts.hypervisors, (hosts) => hosts.flatMap(judgeHypervisor)),
    ...unlessEmpty('machines', facts.machines, (machines) =>
      machines.flatMap((machine) => judgeMachine(machine, instanceOf(facts, machine))),
    ),
    ...unlessEmpty('instances', facts.instances, (instances) =>
      instances.flatMap((instance) => judgeInstance(instance, facts, now)),
    ),
    ...unlessEmpty('migrations', facts.migrations?.filter(isUnderWay), (moves) =>
      moves.flatMap((move) => judgeMigration(move, now)),
    ),
    ...judgeHighAvailability(facts.highAvailability),
  ];
}

function unlessEmpty<T>(
  what: string,
  objects: readonly T[] | undefined,
  judge: (objects: readonly T[]) => readonly Verdict[],
): readonly Verdict[] {
  if (objects === undefined) return [];
  const bad = judge(objects);
  return bad.length > 0 ? bad : [good(what, objects.length === 0 ? 'none' : `all ${objects.length} are well`)];
}

function isHost({ metadata }: FleetNode): boolean {
  return metadata.annotations?.[HANDLER_URL] !== undefined || metadata.annotations?.[HEARTBEAT] !== undefined;
}

function judgeNode({ metadata, status }: FleetNode, now: Date): readonly Verdict[] {
  const what = `host ${metadata.name}`;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const verdicts: Verdict[] = [];
  if (ready?.status !== 'True') {
    const why =
      [ready?.reason, ready?.message].filter((each) => (each ?? '') !== '').join(': ') || 'its node tells nothing';
    verdicts.push(problem(what, `is not ready: ${why}`, `smalt logs ${metadata.name} --unit agents; is it on?`));
  }
  const ageMs = now.getTime() - Date.parse((metadata.annotations?.[HEARTBEAT] ?? '').replaceAll('"', ''));
  if (Number.isNaN(ageMs))
    verdicts.push(problem(what, 'its virt-handler was never heard of', 'is virt-handler running there?'));
  else if (ageMs > SILENT_MS) {
    const found = `its virt-handler is silent for ${durationText(ageMs)}, or its clock is behind the one here`;
    const next = `smalt logs ${metadata.name} --unit agents; is the host on, virt-handler running, and its clock right?`;
    verdicts.push(problem(what, found, next));
  } else if (ageMs < -SKEW_MS) {
    const found = `its clock is ${durationText(-ageMs)} ahead of the one here`;
    verdicts.push(problem(what, found, 'have both clocks kept by chrony'));
  }
  return verdicts;
}

function judgeHypervisor({ metadata, spec, status }: Hypervisor): readonly Verdict[] {
  const what = `host ${metadata.name}`;
  const state = status?.lifecycleState ?? 'Initial';
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const evicting = status?.conditions?.find(({ type }) => type === 'Evicting');
  if (evicting?.status === 'False' && evicting.reason === 'Failed') {
    return [problem(what, `could not be emptied: ${evicting.message}`, `kubectl describe evi ${metadata.name}`)];
  }
  if (USUAL_STATES.includes(state) || spec?.lifecycleEnabled === false) return [];
  const why = ready?.message ?? 'the operator has not looked at it yet';
  const next = `kubectl describe hv ${metadata.name} shows each condition`;
  return [
    state === 'Aborted'
      ? problem(what, `onboarding was given up: ${why}`, next)
      : warning(what, `${state}: ${why}`, next),
  ];
}

function judgeMachine(machine: VirtualMachine, instance: VirtualMachineInstance | undefined): readonly Verdict[] {
  const { namespace = '', name } = machine.metadata;
  const status = machine.status?.printableStatus ?? '';
  if (!TROUBLED.includes(status)) return [];
  const next = `kubectl -n ${namespace} describe vm ${name}; smalt logs -n ${namespace} ${name}`;
  return [problem(`machine ${namespace}/${name}`, `cannot start: ${reasonOf({ machine, instance })}`, next)];
}

function judgeInstance(instance: VirtualMachineInstance, facts: FleetFacts, now: Date): readonly Verdict[] {
  const { namespace = '', name, creationTimestamp = '' } = instance.metadata;
  const { phase = '' } = instance.status ?? {};
  const isKnown = facts.machines?.some(
    ({ metadata, status }) =>
      metadata.namespace === namespace && metadata.name === name && TROUBLED.includes(status?.printableStatus ?? ''),
  );
  const ageMs = now.getTime() - Date.parse(creationTimestamp);
  if (isKnown === true || isFinalPhase(phase) || phase === 'Running' || !(ageMs > PENDING_MS)) return [];
  const found = `is ${phase === '' ? 'Pending' : phase} for ${durationText(ageMs)}: ${reasonOf({ machine: undefined, instance })}`;
  return [problem(`machine ${namespace}/${name}`, found, `kubectl -n ${namespace} describe vmi ${name}`)];
}

function isUnderWay({ status }: VirtualMachineInstanceMigration): boolean {
  const { phase = '' } = status ?? {};
  return phase !== MigrationPhase.succeeded && phase !== MigrationPhase.failed;
}

function judgeMigration({ metadata, spec, status }: VirtualMachineInstanceMigration, now: Date): readonly Verdict[] {
  const { namespace = '', name } = metadata;
  const phase = status?.phase ?? 'Pending';
  const began = status?.phaseTransitionTimestamps?.at(-1)?.phaseTransitionTimestamp ?? metadata.creationTimestamp ?? '';
  const ageMs = now.getTime() - Date.parse(began);
  if (!(ageMs > STUCK_MS)) return [];
  const next = `smalt logs -n ${namespace} ${spec.vmiName ?? name} has its log; kubectl -n ${namespace} delete vmim ${name} gives it up`;
  return [
    problem(`migration ${namespace}/${name}`, `of ${spec.vmiName ?? '?'} is ${phase} for ${durationText(ageMs)}`, next),
  ];
}

function judgeHighAvailability(facts: FleetFacts['highAvailability']): readonly Verdict[] {
  const what = 'high availability';
  if (facts === undefined) return [good(what, 'no HA service is named here')];
  if ('trouble' in facts)
    return [problem(what, `its service does not answer: ${facts.trouble}`, 'is smalt ha-service running?')];
  const bad = troublesOf(facts, what);
  return bad.length > 0 ? bad : [good(what, 'acts, and hears all its sources')];
}

function troublesOf(
  { isPaused, isDryRun, blindSources, waiting }: HighAvailabilityFacts,
  what: string,
): readonly Verdict[] {
  return [
    ...(isPaused
      ? [problem(what, 'is paused: no host is fenced, nothing is rebuilt', 'smalt ha resume --note …')]
      : []),
    ...(isDryRun ? [warning(what, 'only tells what it would do', 'smalt ha dry-run off --note …')] : []),
    ...blindSources.map((source) =>
      problem(what, `hears nothing from ${source}`, 'smalt ha status; see docs/runbooks/ha-source-blind.md'),
    ),
    ...waiting.map(({ id, host, message }) =>
      problem(
        `incident of ${host}`,
        `waits for a person: ${message}`,
        `smalt ha incidents ${id}; when you have seen that it is off: smalt ha confirm-off ${id} ${host} --note …`,
      ),
    ),
  ];
}

function instanceOf({ instances }: FleetFacts, { metadata }: VirtualMachine): VirtualMachineInstance | undefined {
  return instances?.find(
    (each) => each.metadata.namespace === metadata.namespace && each.metadata.name === metadata.name,
  );
}
