import type { JsonObject } from '@smalt/json';

import type { CloudBooks } from '../books/cloud-books.ts';
import { isInProgress, sentShare, type Move } from '../books/move.ts';
import { pageOf } from '../page-of.ts';
import type { Answer, Routes, ServiceRequest } from '../router.ts';
import { refusal } from '../simulator-error.ts';
import type { Mover } from './mover.ts';
import { novaTime } from './server-document.ts';
import { visibleServer } from './server-routes.ts';

const MIB = 1024 * 1024;

/** What Nova answers about moves. */
export function moveRoutes(books: CloudBooks, mover: Mover): Routes {
  return {
    'GET /os-migrations': (request) => listMoves(books, request),
    'GET /servers/{server}/migrations': (request) => {
      const server = visibleServer(books, request);
      const moves = books.movesOf(server.id).filter(isInProgress);
      return { status: 200, body: { migrations: moves.map((move) => progressDocument(move)) } };
    },
    'GET /servers/{server}/migrations/{migration}': (request) => ({
      status: 200,
      body: { migration: progressDocument(moveInProgress(books, request)) },
    }),
    'DELETE /servers/{server}/migrations/{migration}': (request) => {
      mover.abort(moveInProgress(books, request));
      return { status: 202 };
    },
    'POST /servers/{server}/migrations/{migration}/action': (request) => {
      mover.forceComplete(moveInProgress(books, request));
      return { status: 202 };
    },
  };
}

function listMoves(books: CloudBooks, request: ServiceRequest): Answer {
  const { query } = request;
  const serverId = query.get('instance_uuid');
  const host = query.get('host');
  const changesSince = Date.parse(query.get('changes-since') ?? '');
  const matches = (name: string, value: string | undefined): boolean => {
    const wanted = query.get(name);
    return wanted === null || wanted === value;
  };
  const now = Date.now();
  const found = (serverId === null ? books.moves : books.movesOf(serverId))
    .filter(({ listedFrom = 0 }) => listedFrom <= now)
    // Nova leaves out the records of cells that it cannot reach, without a word.
    .filter((move) => move.source.isReachable && !request.areCellsAway)
    .filter((move) => matches('source_compute', move.source.serviceHost))
    .filter((move) => matches('migration_type', move.type))
    .filter((move) => matches('status', move.status))
    .filter((move) => host === null || isAt(move, host))
    .filter((move) => Number.isNaN(changesSince) || changedAt(move) >= changesSince)
    .toReversed();
  const page = pageOf(found, request, { path: request.path, idOf: ({ uuid }) => uuid });
  const migrations = page.items.map((move) => ({
    ...moveDocument(move),
    instance_uuid: move.server.id,
    migration_type: move.type,
    old_instance_type_id: null,
    new_instance_type_id: null,
  }));
  return { status: 200, body: { migrations, ...(page.next !== undefined && { migrations_links: page.next }) } };
}

function isAt({ source, destination }: Move, host: string): boolean {
  return source.serviceHost === host || destination?.serviceHost === host;
}

// Seconds are all that Nova keeps of a change.
function changedAt({ updatedAt, createdAt }: Move): number {
  return Math.ceil(Date.parse(updatedAt ?? createdAt) / 1000) * 1000;
}

function moveInProgress(books: CloudBooks, request: ServiceRequest): Move {
  const server = visibleServer(books, request);
  const id = Number(request.ids['migration']);
  if (request.method !== 'GET' && server.taskState !== 'migrating') {
    const state = server.taskState ?? 'None';
    throw refusal(409, `Cannot 'abort live migration' instance ${server.id} while it is in task_state ${state}`);
  }
  const move = books.movesOf(server.id).find((each) => each.id === id);
  if (move === undefined) throw refusal(404, `Migration ${id} for server ${server.id} could not be found.`);
  if (isInProgress(move)) return move;
  if (request.method === 'GET') {
    throw refusal(404, `Live migration ${id} for server ${server.id} is not in progress.`);
  }
  throw refusal(400, `Migration ${id} state of instance ${server.id} is ${move.status}: it cannot be changed.`);
}

function progressDocument(move: Move): JsonObject {
  const total = move.runningSince === undefined ? 0 : move.server.flavor.memoryMiB * MIB;
  const processed = Math.floor(total * sentShare(move));
  return {
    ...moveDocument(move),
    server_uuid: move.server.id,
    memory_total_bytes: total,
    memory_processed_bytes: processed,
    memory_remaining_bytes: total - processed,
    disk_total_bytes: 0,
    disk_processed_bytes: 0,
    disk_remaining_bytes: 0,
  };
}

function isUnclaimed({ type, isClaimed }: Move): boolean {
  return type === 'evacuation' && isClaimed !== true;
}

function moveDocument(move: Move): JsonObject {
  return {
    id: move.id,
    uuid: move.uuid,
    source_compute: move.source.serviceHost,
    source_node: move.source.name,
    dest_compute: move.destination?.serviceHost ?? null,
    // A target that was asked for is noted at once, its node only when that has accepted.
    dest_node: isUnclaimed(move) ? null : (move.destination?.name ?? null),
    dest_host: null,
    status: move.status,
    created_at: novaTime(move.createdAt),
    updated_at: move.updatedAt === undefined ? null : novaTime(move.updatedAt),
    user_id: move.server.userId,
    project_id: move.server.projectId,
  };
}
