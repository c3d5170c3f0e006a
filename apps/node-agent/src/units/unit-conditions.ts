import type { ConditionStatement } from '@smalt/controller-runtime';
import type { UnitState } from '@smalt/systemd';

const LIBVIRTD = 'libvirtd.service';
const MODULAR_DAEMONS: ReadonlySet<string> = new Set(['virtqemud.service', 'virtchd.service']);

type Verdict = Pick<ConditionStatement, 'status' | 'reason'>;

const VERDICTS: ReadonlyMap<string, Verdict> = new Map([
  ['active', { status: 'True', reason: 'Running' }],
  ['reloading', { status: 'True', reason: 'Reloading' }],
  ['refreshing', { status: 'True', reason: 'Refreshing' }],
  ['inactive', { status: 'False', reason: 'Stopped' }],
  ['failed', { status: 'False', reason: 'Failed' }],
  ['activating', { status: 'False', reason: 'Starting' }],
  ['deactivating', { status: 'False', reason: 'Stopping' }],
]);

/** The units to ask systemd about: each one, and the socket that may start it. */
export function unitsToAsk(units: readonly string[]): readonly string[] {
  const services = [...new Set([LIBVIRTD, ...units])];
  return [...services, ...services.filter((name) => name.endsWith('.service')).map(socketOf)];
}

/**
 * One condition for each unit that exists, and one for libvirtd.service in any case, whatever state they are in. A
 * libvirtd that gave way to modular daemons counts as running as long as one of those does.
 */
export function unitConditions(units: readonly string[], states: readonly UnitState[]): readonly ConditionStatement[] {
  const byName = new Map(states.map((state) => [state.name, state]));
  return [...new Set([LIBVIRTD, ...units])].flatMap((name) => {
    const state = byName.get(name) ?? absent(name);
    if (name !== LIBVIRTD && state.loadState === 'not-found') return [];
    return [{ type: name, ...verdictOf(state, byName) }];
  });
}

function verdictOf(state: UnitState, byName: ReadonlyMap<string, UnitState>): Omit<ConditionStatement, 'type'> {
  const message = `${state.name}: ${state.activeState}, ${state.loadState}`;
  const isOff = state.activeState === 'inactive';
  const successor = isOff && state.name === LIBVIRTD ? servingModularDaemon(byName) : undefined;
  if (successor !== undefined) {
    return { status: 'True', reason: 'ReplacedByModularDaemon', message: `${message}; ${successor} serves instead` };
  }
  const socket = byName.get(socketOf(state.name));
  if (isOff && state.loadState === 'loaded' && socket?.activeState === 'active') {
    const hint = `${socket.name} is active and starts it when a client connects`;
    return { status: 'False', reason: 'Stopped', message: `${message}; ${hint}` };
  }
  return { ...plainVerdict(state), message };
}

function plainVerdict({ activeState, loadState }: UnitState): Verdict {
  // Why a unit cannot be loaded matters only while it does not run: a running one may be masked or deleted since.
  if (activeState === 'inactive' && loadState !== 'loaded') return { status: 'False', reason: reasonOf(loadState) };
  return VERDICTS.get(activeState) ?? { status: 'False', reason: reasonOf(activeState) };
}

function servingModularDaemon(byName: ReadonlyMap<string, UnitState>): string | undefined {
  return [...MODULAR_DAEMONS].flatMap((name) => [name, socketOf(name)]).find((name) => isActive(byName.get(name)));
}

function isActive(state: UnitState | undefined): boolean {
  return state?.activeState === 'active' || state?.activeState === 'reloading';
}

/** `not-found` becomes `NotFound`; a word the API would refuse becomes `Unknown`. */
function reasonOf(word: string): string {
  const reason = word
    .split(/[^a-zA-Z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return /^[A-Za-z]/.test(reason) ? reason : 'Unknown';
}

function socketOf(service: string): string {
  return service.replace(/\.service$/, '.socket');
}

function absent(name: string): UnitState {
  return { name, activeState: 'inactive', subState: 'dead', loadState: 'not-found' };
}
