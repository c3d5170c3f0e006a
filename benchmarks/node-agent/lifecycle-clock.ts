import type { Connection, DomainEvent, EventIterator } from '@smalt/libvirt';

/** Tells when the daemon told of an event, for a benchmark that measures from there. */
export class LifecycleClock implements AsyncDisposable {
  readonly #events: EventIterator<DomainEvent>;
  readonly #waiting = new Map<string, (at: number) => void>();
  readonly #reading: Promise<void>;

  private constructor(events: EventIterator<DomainEvent>) {
    this.#events = events;
    this.#reading = this.#read();
  }

  static async start(connection: Connection): Promise<LifecycleClock> {
    return new LifecycleClock(await connection.domainEvents({ kinds: ['lifecycle'] }));
  }

  /** Resolves with the time of the next event of this type of the domain. */
  next(domain: string, type: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#waiting.set(`${domain} ${type}`, resolve);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#events.return();
    await this.#reading;
  }

  async #read(): Promise<void> {
    for await (const event of this.#events) {
      if (event.kind !== 'lifecycle') continue;
      const key = `${event.domain.name} ${event.event}`;
      this.#waiting.get(key)?.(performance.now());
      this.#waiting.delete(key);
    }
  }
}
