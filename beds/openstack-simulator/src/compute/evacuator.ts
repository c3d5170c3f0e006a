import type { CloudBooks } from '../books/cloud-books.ts';
import type { Host } from '../books/host.ts';
import { isOver, setMoveStatus, type Move } from '../books/move.ts';
import { become, type Server } from '../books/server.ts';
import { refusal } from '../simulator-error.ts';
import type { Timers } from '../timers.ts';
import { chooseHost } from './choose-host.ts';
import { faultOf } from './server-life.ts';

/** What somebody asks for with an evacuation. */
export interface EvacuationWish {
  /** The compute service to go to; the scheduler chooses by default. */
  readonly wanted: string | undefined;
  /** Whether the scheduler is not asked about it. */
  readonly isForced: boolean;
  /** Whether the server stays off at its new place. */
  readonly isLeftStopped: boolean;
}

interface Evacuation extends EvacuationWish {
  readonly move: Move;
  /** What the server is again when it is rebuilt. */
  readonly vmState: string;
  /** Whether another one was under way when this was asked for: it will find the server changed under its hands. */
  readonly isSecond: boolean;
}

/** Rebuilds servers of dead hosts elsewhere, with all that Nova does not guard against. */
export class Evacuator {
  readonly #books: CloudBooks;
  readonly #timers: Timers;

  constructor(books: CloudBooks, timers: Timers) {
    this.#books = books;
    this.#timers = timers;
  }

  /** Accepts an evacuation. Nova takes a second one as well, while the first is still under way. */
  start(server: Server, wish: EvacuationWish): void {
    const source = server.host;
    if (source === undefined) throw refusal(409, `Instance ${server.id} is on no host.`);
    if (source.isAlive) throw refusal(400, `Compute service of ${source.serviceHost} is still in use.`);
    const others = this.#books.movesOf(server.id).filter((move) => move.type === 'evacuation' && !isOver(move));
    const move = this.#record(server, source, wish);
    const vmState = wish.isLeftStopped || server.vmState === 'stopped' ? 'stopped' : 'active';
    become(server, server.vmState, 'rebuilding');
    const unscheduled = others.filter(({ status }) => status === 'accepted');
    if (unscheduled.length > 0) return this.#strand(server, unscheduled);
    const evacuation = { ...wish, move, vmState, isSecond: others.length > 0 };
    this.#timers.after(this.#books.behaviourOf(server).schedulingMs, () => this.#schedule(evacuation));
  }

  /** A host that comes back clears away what was evacuated from it, also while it is still declared dead. */
  welcome(host: Host): void {
    for (const move of this.#books.moves) {
      const isLeft = move.type === 'evacuation' && (move.status === 'accepted' || move.status === 'done');
      if (move.source !== host || !isLeft) continue;
      host.strays.delete(move.server.id);
      this.#books.release(move.server, host);
      setMoveStatus(move, 'completed');
    }
  }

  #record(server: Server, source: Host, { wanted }: EvacuationWish): Move {
    const { evacuation, evacuationMs, recordDelayMs } = this.#books.behaviourOf(server);
    return this.#books.addMove({
      server,
      type: 'evacuation',
      source,
      destination: wanted === undefined ? undefined : this.#books.hostOfService(wanted),
      status: 'accepted',
      durationMs: evacuationMs,
      isStuck: evacuation === 'stuck',
      ...(recordDelayMs > 0 && { listedFrom: Date.now() + recordDelayMs }),
    });
  }

  /** A second one that comes before the first has a host: the first fails, and nothing ever comes of the second. */
  #strand(server: Server, unscheduled: readonly Move[]): void {
    for (const move of unscheduled) setMoveStatus(move, 'failed');
    this.#fail(server, `Conflict updating instance ${server.id}. Expected: {'task_state': ['rebuilding']}.`);
  }

  #schedule(evacuation: Evacuation): void {
    const { move, isSecond, wanted, isForced } = evacuation;
    const { server } = move;
    if (server.isDeleted || isOver(move)) return;
    const outcome = this.#books.behaviourOf(server).evacuation;
    const destination = outcome === 'no-host' ? undefined : this.#hostFor(server, wanted, isForced);
    if (destination === undefined) {
      setMoveStatus(move, 'error');
      return this.#failLater(server, 'No valid host was found. There are not enough hosts available.');
    }
    move.destination = destination;
    this.#books.allocateToo(server, destination);
    move.isClaimed = true;
    setMoveStatus(move, 'pre-migrating');
    become(server, server.vmState, 'rebuild_spawning');
    if (outcome === 'stuck') return;
    this.#timers.after(move.durationMs, () => {
      // A target that dies meanwhile never ends it.
      if (server.isDeleted || !destination.isAlive) return;
      if (isSecond) return this.#collide(move, destination);
      if (outcome === 'fails') return this.#giveBack(move, destination);
      this.#arrive(evacuation, destination);
    });
  }

  #hostFor(server: Server, wanted: string | undefined, isForced: boolean): Host | undefined {
    const named = wanted === undefined ? undefined : this.#books.hostOfService(wanted);
    if (isForced) return named?.isAlive === true ? named : undefined;
    return chooseHost(this.#books, server, wanted);
  }

  // The server looks well, on its old host, before its new one and the record are noted.
  #arrive({ move, vmState }: Evacuation, destination: Host): void {
    const { server, source } = move;
    server.powerState = undefined;
    server.fault = undefined;
    become(server, vmState, undefined);
    this.#timers.after(this.#books.behaviourOf(server).recordLagMs, () => {
      if (server.isDeleted) return;
      source.servers.delete(server);
      source.strays.add(server.id);
      server.host = destination;
      destination.servers.add(server);
      setMoveStatus(move, 'done');
    });
  }

  #giveBack(move: Move, destination: Host): void {
    this.#books.release(move.server, destination);
    setMoveStatus(move, 'failed');
    this.#fail(move.server, `Failed to deploy instance ${move.server.id}.`);
  }

  /** The second of two: its guest runs beside that of the first, and the server is in ERROR. */
  #collide(move: Move, destination: Host): void {
    if (move.server.host !== destination) destination.strays.add(move.server.id);
    this.#books.release(move.server, destination);
    setMoveStatus(move, 'failed');
    const { id } = move.server;
    this.#fail(move.server, `Conflict updating instance ${id}. Expected: {'task_state': ['rebuild_spawning']}.`);
  }

  // The record says so before the server does; whoever asks anew in between is overtaken by it.
  #failLater(server: Server, message: string): void {
    this.#timers.after(
      this.#books.behaviourOf(server).recordLagMs,
      () => !server.isDeleted && this.#fail(server, message),
    );
  }

  #fail(server: Server, message: string): void {
    server.fault = faultOf(message);
    become(server, 'error', undefined);
  }
}
