import {
  PrintableStatus,
  VirtualMachineInstanceConditionType,
  VirtualMachineInstancePhase,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

/** What can be ordered of a machine. */
export type MachineOrder = 'start' | 'stop' | 'restart' | 'pause' | 'unpause';

/** A machine and its instance, as they are now. */
export interface MachineState {
  readonly machine: VirtualMachine | undefined;
  readonly instance: VirtualMachineInstance | undefined;
  readonly before: BeforeOrder;
}

/** What there was when an order was given, and so says nothing of what became of the order. */
export interface BeforeOrder {
  /** The id of the instance. */
  readonly instance: string | undefined;
  /** The id of the instance that had failed last. */
  readonly failed: string | undefined;
}

/** How far an order is. */
export type OrderProgress =
  | { readonly kind: 'waiting'; readonly text: string }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string };

const HOPELESS: readonly string[] = [PrintableStatus.crashLoopBackOff];

/** Decides from what the API says whether an order is carried out. */
export function decideOrder(order: MachineOrder, state: MachineState): OrderProgress {
  const { instance, before } = state;
  switch (order) {
    case 'start':
      // What is left of an earlier run makes room for the next one.
      return untilRunning(isLeftOver(state) ? { ...state, instance: undefined } : state);
    case 'restart':
      return instance?.metadata.uid === before.instance ? waiting(state, 'shuts down') : untilRunning(state);
    case 'stop':
      return instance === undefined || isOver(instance) ? done('is off') : waiting(state, 'shuts down');
    case 'pause':
      return whileThere(state, isPaused(instance), 'stands still');
    case 'unpause':
      return whileThere(state, !isPaused(instance), 'goes on');
  }
}

function untilRunning(state: MachineState): OrderProgress {
  const { machine, instance } = state;
  const status = machine?.status?.printableStatus ?? '';
  const phase = instance?.status?.phase;
  if (phase === VirtualMachineInstancePhase.running) return done(`runs on ${instance?.status?.nodeName ?? 'a node'}`);
  if (HOPELESS.includes(status) && hasFailedSince(state))
    return { kind: 'failed', text: `does not come up: ${reasonOf(state)}` };
  if (phase === VirtualMachineInstancePhase.failed) return { kind: 'failed', text: `has failed: ${reasonOf(state)}` };
  return waiting(state, 'starts');
}

function isLeftOver({ instance, before }: MachineState): boolean {
  return instance !== undefined && instance.metadata.uid === before.instance && isOver(instance);
}

/**
 * Whether a run has failed that the order has begun. An order to start clears what is known of failures, and the words of
 * the status stay behind until the controller has looked.
 */
function hasFailedSince({ machine, before }: MachineState): boolean {
  const failed = machine?.status?.startFailure?.lastFailedVMIUID;
  return failed !== undefined && failed !== before.instance && failed !== before.failed;
}

function whileThere(state: MachineState, isReached: boolean, text: string): OrderProgress {
  const { instance } = state;
  if (instance === undefined || isOver(instance)) return { kind: 'failed', text: 'is off by now' };
  return isReached ? done(text) : waiting(state, 'is asked');
}

function done(text: string): OrderProgress {
  return { kind: 'done', text };
}

function waiting(state: MachineState, text: string): OrderProgress {
  const reason = reasonOf(state);
  return { kind: 'waiting', text: reason === '' ? text : `${text}: ${reason}` };
}

/** The most telling words that the API has about why it is not further. */
export function reasonOf({ machine, instance }: Pick<MachineState, 'machine' | 'instance'>): string {
  const conditions = [...(machine?.status?.conditions ?? []), ...(instance?.status?.conditions ?? [])];
  const bad = conditions.find(({ type, status }) => type === 'Failure' && status === 'True');
  const held = conditions.find(({ status, message, type }) => status === 'False' && TELLING.includes(type) && message);
  const { phase = '' } = instance?.status ?? {};
  const isFailed = phase === VirtualMachineInstancePhase.failed;
  const state = isFailed ? phase : (machine?.status?.printableStatus ?? phase);
  const words = bad?.message ?? held?.message ?? instance?.status?.reason ?? '';
  return [state, words].filter((each) => each !== '').join(', ');
}

const TELLING: readonly string[] = [
  VirtualMachineInstanceConditionType.synchronized,
  VirtualMachineInstanceConditionType.podScheduled,
  VirtualMachineInstanceConditionType.provisioning,
  VirtualMachineInstanceConditionType.dataVolumesReady,
];

function isPaused(instance: VirtualMachineInstance | undefined): boolean {
  const { paused } = VirtualMachineInstanceConditionType;
  return instance?.status?.conditions?.some(({ type, status }) => type === paused && status === 'True') === true;
}

function isOver({ status }: VirtualMachineInstance): boolean {
  const { succeeded, failed } = VirtualMachineInstancePhase;
  return status?.phase === succeeded || status?.phase === failed;
}
