import type { SwitchDatabase } from '../../observe/switch-database.ts';
import { OvsAgentError } from '../../ovs-agent-error.ts';
import { CAPTURE_KEY } from './capture-mark.ts';
import { addMirrorOperations, removeMirrorOperations } from './mirror-operations.ts';
import { runProgram } from './run-program.ts';

const DEVICE_MS = 5_000;
const REMOVE_MS = 5_000;

export interface MirrorDeps {
  readonly database: SwitchDatabase;
  readonly ip: readonly string[];
}

export interface MirrorRequest {
  readonly capture: string;
  readonly bridge: string;
  readonly port: string | undefined;
  readonly expires: Date;
  /** The identity of this agent. */
  readonly owner: string;
}

/** A device that gets a copy of packets, until it is disposed of. */
export interface CaptureMirror extends AsyncDisposable {
  readonly device: string;
  /** Fires when somebody else takes the mirror away: from then on no packets come. */
  readonly gone: AbortSignal;
}

/** Has the switch copy packets to a device of its own, and resolves when that is up. */
export async function openMirror(
  deps: MirrorDeps,
  request: MirrorRequest,
  signal: AbortSignal,
): Promise<CaptureMirror> {
  const { cache } = deps.database;
  const bridge = [...cache.Bridge.values()].find(({ name }) => name === request.bridge);
  const port = [...(bridge?.ports ?? [])].find((uuid) => cache.Port.get(uuid)?.name === request.port);
  if (bridge === undefined || (request.port !== undefined && port === undefined)) {
    throw new OvsAgentError('not-found', `${request.port ?? request.bridge} has just been removed`);
  }
  // Names of devices have 15 characters at most.
  const device = `smalt-${request.capture.slice(0, 8)}`;
  const { capture, expires, owner } = request;
  await using stack = new AsyncDisposableStack();
  // Before it is made: the answer may be lost although the switch has done it.
  stack.defer(() => removeCapture(deps.database, bridge._uuid, capture));
  const gone = new AbortController();
  // Deferred later than the removal, so that it does not see that.
  stack.defer(followMirror(deps.database, capture, gone));
  const operations = addMirrorOperations({ device, bridge: bridge._uuid, port, capture, expires, owner });
  await deps.database.transact(operations, { signal });
  await attached(deps.database, device, AbortSignal.any([signal, AbortSignal.timeout(DEVICE_MS)]));
  await setUp(deps.ip, device, signal);
  const owned = stack.move();
  return { device, gone: gone.signal, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function followMirror(database: SwitchDatabase, capture: string, gone: AbortController): () => void {
  return database.subscribe(({ rows }) => {
    const isGone = rows.some(
      (row) => row.kind === 'deleted' && row.table === 'Mirror' && row.old.external_ids.get(CAPTURE_KEY) === capture,
    );
    if (isGone) gone.abort(new Error('the mirror was removed'));
  });
}

/** Removes what a capture has left in a bridge. It asks the database itself: the copy at hand may be behind. */
async function removeCapture(database: SwitchDatabase, bridge: string, capture: string): Promise<void> {
  const options = { signal: AbortSignal.timeout(REMOVE_MS) };
  const where = [['external_ids', 'includes', new Map([[CAPTURE_KEY, capture]])] as const];
  const [mirrors, ports] = await Promise.all([
    database.select({ table: 'Mirror', columns: {}, where }, options),
    database.select({ table: 'Port', columns: {}, where }, options),
  ]);
  if (mirrors.length + ports.length === 0) return;
  const remains = { bridge, mirrors: mirrors.map(({ _uuid }) => _uuid), ports: ports.map(({ _uuid }) => _uuid) };
  await database.transact(removeMirrorOperations([remains]), options);
}

/** Resolves when ovs-vswitchd has attached the device. */
async function attached(database: SwitchDatabase, device: string, signal: AbortSignal): Promise<void> {
  const find = (): bigint | undefined =>
    [...database.cache.Interface.values()].find(({ name }) => name === device)?.ofport;
  let ofport = find();
  if (ofport === undefined) {
    for await (const _ of database.changes(signal)) {
      ofport = find();
      if (ofport !== undefined) break;
    }
  }
  if (ofport === undefined || ofport < 1n) {
    throw new OvsAgentError('unavailable', 'ovs-vswitchd has not made a device for the capture: look at its log');
  }
}

async function setUp(ip: readonly string[], device: string, signal: AbortSignal): Promise<void> {
  try {
    await runProgram([...ip, 'link', 'set', 'dev', device, 'up'], signal);
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    const next = 'a capture of this port needs a datapath with devices, and the capability NET_ADMIN';
    throw new OvsAgentError('unavailable', `the device of the capture cannot be taken up (${why}): ${next}`, {
      cause: error,
    });
  }
}
