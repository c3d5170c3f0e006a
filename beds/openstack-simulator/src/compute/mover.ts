import type { MoveOutcome } from '../behaviour.ts';
import type { CloudBooks } from '../books/cloud-books.ts';
import type { Host } from '../books/host.ts';
import { isInProgress, isOver, setMoveStatus, type Move } from '../books/move.ts';
import { become, type Server } from '../books/server.ts';
import { refusal } from '../simulator-error.ts';
import type { Timers } from '../timers.ts';
import { chooseHost } from './choose-host.ts';

/** Moves servers between hosts. Everything is accepted first and happens later, as in Nova. */
export class Mover {
  readonly #books: CloudBooks;
  readonly #timers: Timers;
  readonly #waiting = new Map<Host, Move[]>();
  readonly #running = new Map<Host, Set<Move>>();

  constructor(books: CloudBooks, timers: Timers) {
    this.#books = books;
    this.#timers = timers;
  }

  startLive(server: Server, wanted: string | undefined): void {
    const source = sourceOf(server);
    const { liveMigration: outcome, liveMigrationMs: durationMs } = this.#books.behaviourOf(server);
    become(server, server.vmState, 'migrating');
    const move = this.#record(server, { type: 'live-migration', outcome, durationMs });
    this.#timers.after(0, () => {
      if (!this.#schedule(move, outcome, wanted)) return;
      if (this.#runningOn(source).size >= this.#books.behaviour.maxConcurrentMovesPerHost) {
        setMoveStatus(move, 'queued');
        this.#waiting.set(source, [...(this.#waiting.get(source) ?? []), move]);
        return;
      }
      this.#runLive(move, outcome);
    });
  }

  startCold(server: Server, wanted: string | undefined): void {
    const { coldMigration: outcome, coldMigrationMs: durationMs } = this.#books.behaviourOf(server);
    server.stateBeforeMove = server.vmState;
    become(server, server.vmState, 'resize_prep');
    const move = this.#record(server, { type: 'migration', outcome, durationMs });
    this.#timers.after(0, () => {
      if (!this.#schedule(move, outcome, wanted)) return;
      setMoveStatus(move, 'migrating');
      become(server, server.vmState, 'resize_migrating');
      if (outcome !== 'stuck') this.#timers.after(durationMs, () => this.#endCold(move, outcome));
    });
  }

  /** Ends a live migration that waits or runs; the server stays where it is. */
  abort(move: Move): void {
    if (!isInProgress(move)) {
      const { id, status, server } = move;
      throw refusal(400, `Migration ${id} for instance ${server.id} is not in progress: ${status}.`);
    }
    const wasQueued = move.status === 'queued';
    setMoveStatus(move, 'cancelling');
    this.#timers.after(0, () => {
      if (wasQueued) this.#unqueue(move);
      this.#comeBack(move, 'cancelled');
      this.#release(move);
    });
  }

  forceComplete(move: Move): void {
    if (move.status !== 'running') {
      throw refusal(
        400,
        `Migration ${move.id} state of instance ${move.server.id} is ${move.status}. Cannot force complete.`,
      );
    }
    this.#timers.after(0, () => this.#arrive(move));
  }

  confirm(server: Server): void {
    const move = this.#unconfirmed(server);
    setMoveStatus(move, 'confirmed');
    this.#books.placement.free(move.uuid);
    become(server, server.stateBeforeMove ?? 'active', undefined);
  }

  revert(server: Server): void {
    const move = this.#unconfirmed(server);
    setMoveStatus(move, 'reverted');
    this.#books.placement.free(move.uuid);
    this.#books.place(server, move.source);
    become(server, server.stateBeforeMove ?? 'active', undefined);
  }

  #record(server: Server, { type, outcome, durationMs }: MoveWish): Move {
    const isStuck = outcome === 'stuck';
    const source = sourceOf(server);
    return this.#books.addMove({
      server,
      type,
      source,
      destination: undefined,
      status: 'accepted',
      durationMs,
      isStuck,
    });
  }

  #schedule(move: Move, outcome: MoveOutcome, wanted: string | undefined): boolean {
    const { server, source } = move;
    // A device of the host stays with the host: Nova finds out only when it looks closer.
    const isBound = move.type === 'live-migration' && server.flavor.extraSpecs['pci_passthrough:alias'] !== undefined;
    const isHopeless = outcome === 'no-host' || isBound || !source.isAlive;
    const destination = isHopeless ? undefined : chooseHost(this.#books, server, wanted);
    if (server.isDeleted) return false;
    if (destination === undefined) {
      this.#comeBack(move, 'error');
      return false;
    }
    move.destination = destination;
    setMoveStatus(move, move.type === 'migration' ? 'pre-migrating' : 'preparing');
    this.#books.allocate(move.uuid, server, source);
    this.#books.allocate(server.id, server, destination);
    return true;
  }

  #runLive(move: Move, outcome: MoveOutcome): void {
    this.#runningOn(move.source).add(move);
    setMoveStatus(move, 'running');
    move.runningSince = Date.now();
    if (outcome === 'stuck') return;
    this.#timers.after(move.durationMs, () => {
      if (move.status !== 'running') return;
      const isGood = outcome === 'succeeds' && move.destination?.isAlive === true && !move.server.isDeleted;
      if (isGood) return this.#arrive(move);
      this.#comeBack(move, 'failed');
      this.#release(move);
    });
  }

  // The server is there before its record says so.
  #arrive(move: Move): void {
    const { server, destination } = move;
    if (!isInProgress(move) || server.isDeleted || destination === undefined) return;
    this.#books.placement.free(move.uuid);
    this.#books.place(server, destination);
    become(server, server.vmState, undefined);
    this.#timers.after(this.#books.behaviourOf(server).recordLagMs, () => {
      setMoveStatus(move, 'completed');
      this.#release(move);
    });
  }

  #endCold(move: Move, outcome: MoveOutcome): void {
    const { server, destination } = move;
    if (isOver(move) || server.isDeleted || destination === undefined) return;
    if (outcome === 'fails') return this.#comeBack(move, 'error');
    setMoveStatus(move, 'finished');
    server.host?.servers.delete(server);
    server.host = destination;
    destination.servers.add(server);
    become(server, 'resized', undefined);
  }

  #comeBack(move: Move, status: string): void {
    const { server, source } = move;
    setMoveStatus(move, status);
    this.#books.placement.free(move.uuid);
    if (server.isDeleted) return;
    this.#books.place(server, source);
    become(server, server.vmState, undefined);
  }

  #runningOn(host: Host): Set<Move> {
    const running = this.#running.get(host) ?? new Set();
    this.#running.set(host, running);
    // The server of a stuck move may have been deleted.
    for (const move of running) if (move.server.isDeleted) running.delete(move);
    return running;
  }

  #release(move: Move): void {
    if (!this.#runningOn(move.source).delete(move)) return;
    const next = this.#waiting.get(move.source)?.shift();
    if (next === undefined) return;
    this.#runLive(next, this.#books.behaviourOf(next.server).liveMigration);
  }

  #unqueue(move: Move): void {
    const waiting = this.#waiting.get(move.source) ?? [];
    this.#waiting.set(
      move.source,
      waiting.filter((other) => other !== move),
    );
  }

  #unconfirmed(server: Server): Move {
    const move = this.#books.movesOf(server.id).findLast(({ status }) => status === 'finished');
    if (move === undefined) throw refusal(400, 'Instance has not been resized.');
    return move;
  }
}

interface MoveWish {
  readonly type: Move['type'];
  readonly outcome: MoveOutcome;
  readonly durationMs: number;
}

function sourceOf(server: Server): Host {
  if (server.host === undefined) throw refusal(409, `Instance ${server.id} is on no host.`);
  return server.host;
}
