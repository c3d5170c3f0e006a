import type { CloudBooks } from '../books/cloud-books.ts';
import { touch, type Server } from '../books/server.ts';
import { numberIn, objectIn, textIn } from '../read-json.ts';
import type { Answer, Routes, ServiceRequest } from '../router.ts';
import { refusal } from '../simulator-error.ts';
import type { Mover } from './mover.ts';
import { visibleServer } from './server-routes.ts';

/** What an action needs of the server, in Nova's words for its states. */
interface Needs {
  readonly vmStates: readonly string[];
  /** What the action is called in messages, if not as in requests. */
  readonly name?: string;
}

type Action = (server: Server, request: ServiceRequest) => Answer | undefined;

const ACCEPTED: Answer = { status: 202 };

/** What can be done to a server. */
export function actionRoutes(books: CloudBooks, mover: Mover): Routes {
  const actions = new Map<string, Action>([
    ['os-migrateLive', (server, request) => liveMigrate(books, mover, server, request)],
    ['migrate', (server, request) => coldMigrate(books, mover, server, request)],
    ['confirmResize', (server) => finishMove(mover, server, 'confirmResize')],
    ['revertResize', (server) => finishMove(mover, server, 'revertResize')],
    ['os-getConsoleOutput', (server, request) => consoleOutput(books, server, request)],
    ['os-stop', (server) => switchState(server, 'stopped', { vmStates: ['active', 'error'], name: 'stop' })],
    ['os-start', (server) => switchState(server, 'active', { vmStates: ['stopped'], name: 'start' })],
    [
      'reboot',
      (server) => switchState(server, 'active', { vmStates: ['active', 'stopped', 'paused', 'error'], name: 'reboot' }),
    ],
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
      return act(server, request) ?? ACCEPTED;
    },
  };
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
  server.vmState = vmState;
  touch(server);
}

function resetState(server: Server, request: ServiceRequest): undefined {
  needAdmin(request, 'os_compute_api:os-admin-actions:reset_state');
  const state = textIn(objectIn(request.body, 'os-resetState'), 'state');
  if (state !== 'active' && state !== 'error')
    throw refusal(400, `Invalid input for field/attribute state. Value: ${state}.`);
  server.vmState = state;
  server.taskState = undefined;
  touch(server);
}

function lock(server: Server, { body }: ServiceRequest): undefined {
  server.isLocked = true;
  server.lockedReason = textIn(objectIn(body, 'lock'), 'locked_reason');
}

function unlock(server: Server): undefined {
  server.isLocked = false;
  server.lockedReason = undefined;
}

function need(server: Server, { vmStates, name = '' }: Needs): void {
  const { id, vmState, taskState } = server;
  if (!vmStates.includes(vmState)) {
    throw refusal(409, `Cannot '${name}' instance ${id} while it is in vm_state ${vmState}`);
  }
  if (taskState !== undefined) {
    throw refusal(409, `Cannot '${name}' instance ${id} while it is in task_state ${taskState}`);
  }
}

function needAdmin({ session }: ServiceRequest, rule: string): void {
  if (session.user.roles.includes('admin')) return;
  throw refusal(403, `Policy doesn't allow ${rule} to be performed.`);
}
