import type { CloudBooks } from '../books/cloud-books.ts';
import { become, note, type Server } from '../books/server.ts';
import { pageOf } from '../page-of.ts';
import { booleanIn, numberIn, objectIn, textIn } from '../read-json.ts';
import type { Answer, Routes, ServiceRequest } from '../router.ts';
import { refusal } from '../simulator-error.ts';
import type { Evacuator } from './evacuator.ts';
import type { Mover } from './mover.ts';
import type { ServerLife } from './server-life.ts';
import { novaTime } from './server-document.ts';
import { visibleServer } from './server-routes.ts';

/** What an action needs of the server, in Nova's words for its states. */
interface Needs {
  readonly vmStates: readonly string[];
  /** What the action is called in messages, if not as in requests. */
  readonly name?: string;
}

export interface ActionParts {
  readonly books: CloudBooks;
  readonly life: ServerLife;
  readonly mover: Mover;
  readonly evacuator: Evacuator;
}

type Action = (server: Server, request: ServiceRequest) => Answer | undefined;

const ACCEPTED: Answer = { status: 202 };
/** What Nova calls an action in the history of a server; those that change nothing are not in it. */
const NOTED: ReadonlyMap<string, string> = new Map([
  ['os-migrateLive', 'live-migration'],
  ['migrate', 'migrate'],
  ['confirmResize', 'confirmResize'],
  ['revertResize', 'revertResize'],
  ['os-stop', 'stop'],
  ['os-start', 'start'],
  ['reboot', 'reboot'],
  ['evacuate', 'evacuate'],
  ['lock', 'lock'],
  ['unlock', 'unlock'],
]);
/** Older evacuations ask whether storage is shared; `force` came and went; newer ones leave servers off. */
const EVACUATE_FROM = 14;
const FORCE_FROM = 29;
const FORCE_UNTIL = 67;
const STOPPED_FROM = 95;

/** What can be done to a server. */
export function actionRoutes({ books, life, mover, evacuator }: ActionParts): Routes {
  const actions = new Map<string, Action>([
    ['os-migrateLive', (server, request) => liveMigrate(books, mover, server, request)],
    ['migrate', (server, request) => coldMigrate(books, mover, server, request)],
    ['confirmResize', (server) => finishMove(mover, server, 'confirmResize')],
    ['revertResize', (server) => finishMove(mover, server, 'revertResize')],
    ['os-getConsoleOutput', (server, request) => consoleOutput(books, server, request)],
    ['os-stop', (server) => switchState(server, 'stopped', { vmStates: ['active', 'error'], name: 'stop' })],
    ['os-start', (server) => switchState(server, 'active', { vmStates: ['stopped'], name: 'start' })],
    ['reboot', (server, request) => reboot(life, server, request)],
    ['evacuate', (server, request) => evacuate(books, evacuator, server, request)],
    ['os-resetState', resetState],
    ['lock', lock],
    ['unlock', unlock],
  ]);
  return {
    'POST /servers/{server}/action': (request) => {
      const server = visibleServer(books, request);
      const [name = ''] = Object.keys(request.body);
      const act = actions.get(name);
      if (act === undefined) throw refusal(400, `There is no such action: ${name}.`);
      const answer = act(server, request) ?? ACCEPTED;
      const noted = NOTED.get(name);
      const { user, project } = request.session;
      if (noted !== undefined) note(server, noted, { userId: user.id, projectId: project.id });
      return answer;
    },
    'GET /servers/{server}/os-instance-actions': (request) => listHistory(books, request),
  };
}

function listHistory(books: CloudBooks, request: ServiceRequest): Answer {
  const server = visibleServer(books, request);
  const page = pageOf(server.history.toReversed(), request, { path: request.path, idOf: ({ requestId }) => requestId });
  const instanceActions = page.items.map(({ action, requestId, by, at }) => ({
    action,
    instance_uuid: server.id,
    request_id: requestId,
    user_id: by?.userId ?? null,
    project_id: by?.projectId ?? null,
    start_time: novaTime(at),
    updated_at: novaTime(at),
    message: null,
  }));
  return { status: 200, body: { instanceActions, ...(page.next !== undefined && { links: page.next }) } };
}

function liveMigrate(books: CloudBooks, mover: Mover, server: Server, request: ServiceRequest): undefined {
  needAdmin(request, 'os_compute_api:os-migrate-server:migrate_live');
  need(server, { vmStates: ['active', 'paused'], name: 'os-migrateLive' });
  const wanted = textIn(objectIn(request.body, 'os-migrateLive'), 'host');
  if (wanted !== undefined && books.hostOfService(wanted) === undefined) {
    throw refusal(400, `Compute host ${wanted} could not be found.`);
  }
  mover.startLive(server, wanted);
}

function coldMigrate(books: CloudBooks, mover: Mover, server: Server, request: ServiceRequest): undefined {
  needAdmin(request, 'os_compute_api:os-migrate-server:migrate');
  need(server, { vmStates: ['active', 'stopped'], name: 'migrate' });
  const wanted = textIn(objectIn(request.body, 'migrate'), 'host');
  if (wanted !== undefined && books.hostOfService(wanted) === undefined) {
    throw refusal(400, `Compute host ${wanted} could not be found.`);
  }
  if (wanted !== undefined && wanted === server.host?.serviceHost) {
    throw refusal(400, `Requested destination ${wanted} is the host the server is on already.`);
  }
  mover.startCold(server, wanted);
}

function evacuate(books: CloudBooks, evacuator: Evacuator, server: Server, request: ServiceRequest): Answer {
  needAdmin(request, 'os_compute_api:os-evacuate');
  const { version } = request;
  const wish = objectIn(request.body, 'evacuate');
  const unexpected = ['onSharedStorage', ...(version < FORCE_FROM || version > FORCE_UNTIL ? ['force'] : [])].find(
    (name) => Object.hasOwn(wish, name),
  );
  if (version < EVACUATE_FROM) throw refusal(400, `This call is simulated from 2.${EVACUATE_FROM} on.`);
  if (unexpected !== undefined) {
    const message = `Additional properties are not allowed ('${unexpected}' was unexpected)`;
    throw refusal(400, `Invalid input for field/attribute evacuate. Value: ${JSON.stringify(wish)}. ${message}`);
  }
  const wanted = textIn(wish, 'host');
  const isForced = booleanIn(wish, 'force') ?? false;
  if (isForced && wanted === undefined) throw refusal(400, "Can't force to a non-provided destination");
  if (wanted !== undefined && books.hostOfService(wanted)?.serviceHost !== wanted) {
    throw refusal(404, `Compute host ${wanted} not found.`);
  }
  if (wanted !== undefined && wanted === server.host?.serviceHost) {
    throw refusal(400, "The target host can't be the same one.");
  }
  // Unlike all others, it does not mind what task the server is at.
  needVmState(server, { vmStates: ['active', 'stopped', 'error'], name: 'evacuate' });
  evacuator.start(server, { wanted, isForced, isLeftStopped: version >= STOPPED_FROM });
  return { status: 200 };
}

function reboot(life: ServerLife, server: Server, { body }: ServiceRequest): undefined {
  const isHard = textIn(objectIn(body, 'reboot'), 'type')?.toUpperCase() === 'HARD';
  const vmStates = isHard ? ['active', 'stopped', 'paused', 'suspended', 'error'] : ['active'];
  needVmState(server, { vmStates, name: 'reboot' });
  if (!isHard || server.taskState?.startsWith('reboot') !== true) need(server, { vmStates, name: 'reboot' });
  life.reboot(server, isHard);
}

function finishMove(mover: Mover, server: Server, name: 'confirmResize' | 'revertResize'): Answer {
  need(server, { vmStates: ['resized'], name });
  if (name === 'confirmResize') mover.confirm(server);
  else mover.revert(server);
  return { status: name === 'confirmResize' ? 204 : 202 };
}

function consoleOutput(books: CloudBooks, server: Server, { body }: ServiceRequest): Answer {
  if (server.host === undefined || server.vmState === 'building') {
    throw refusal(409, `Instance ${server.id} is not ready`);
  }
  const text = books.behaviourOf(server).consoleText ?? `Welcome to CirrOS\n${server.name} login: `;
  const lines = numberIn(objectIn(body, 'os-getConsoleOutput'), 'length');
  const output = lines === undefined ? text : text.split('\n').slice(-lines).join('\n');
  return { status: 200, body: { output } };
}

function switchState(server: Server, vmState: string, needs: Needs): undefined {
  need(server, needs);
  server.powerState = undefined;
  become(server, vmState, undefined);
}

function resetState(server: Server, request: ServiceRequest): undefined {
  needAdmin(request, 'os_compute_api:os-admin-actions:reset_state');
  const state = textIn(objectIn(request.body, 'os-resetState'), 'state');
  if (state !== 'active' && state !== 'error')
    throw refusal(400, `Invalid input for field/attribute state. Value: ${state}.`);
  become(server, state, undefined);
}

function lock(server: Server, { body }: ServiceRequest): undefined {
  server.isLocked = true;
  server.lockedReason = textIn(objectIn(body, 'lock'), 'locked_reason');
}

function unlock(server: Server): undefined {
  server.isLocked = false;
  server.lockedReason = undefined;
}

function needVmState({ id, vmState }: Server, { vmStates, name = '' }: Needs): void {
  if (vmStates.includes(vmState)) return;
  throw refusal(409, `Cannot '${name}' instance ${id} while it is in vm_state ${vmState}`);
}

function need(server: Server, needs: Needs): void {
  needVmState(server, needs);
  const { id, taskState } = server;
  const { name = '' } = needs;
  if (taskState !== undefined) {
    throw refusal(409, `Cannot '${name}' instance ${id} while it is in task_state ${taskState}`);
  }
}

function needAdmin({ session }: ServiceRequest, rule: string): void {
  if (session.user.roles.includes('admin')) return;
  throw refusal(403, `Policy doesn't allow ${rule} to be performed.`);
}
